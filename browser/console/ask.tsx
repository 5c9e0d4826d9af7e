import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Fields, Problem, useForm, type Field, type Values } from './form.js';

/** What is asked before something is done that cannot be undone. */
export interface Question {
  title: string;
  text?: readonly string[];
  fields?: readonly Field[];
  /** The label of the confirming button, which names the amount. */
  action: (values: Values) => string;
  /** The last question, for what moves money. Without it the dialog itself is the question. */
  sure?: ((values: Values) => string) | undefined;
  /** Does it, and returns what happened in words. What it throws is shown, and the dialog stays open. */
  run: (values: Values) => Promise<string>;
}

export interface AskProps {
  question: Question;
  /** Reads anew what it changed, also after a refusal. */
  again: () => Promise<void>;
  close: () => void;
  done: (words: string) => void;
}

export function Ask({ question, again, close, done }: AskProps): JSX.Element {
  const { title, text = [], fields = [], action, sure, run } = question;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const last = useRef<HTMLParagraphElement>(null);
  const [isLast, setLast] = useState(false);
  const form = useForm(fields, async (values) => {
    if (sure !== undefined && !isLast) {
      setLast(true);
      return;
    }
    try {
      done(await run(values).finally(again));
      dialog.current?.close();
    } catch (problem) {
      setLast(false);
      throw problem;
    }
  });
  const { error, values } = form;
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (isLast) last.current?.focus();
  }, [isLast]);
  useEffect(() => {
    if (error !== undefined) dialog.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  const closed = (): void => {
    close();
    // The button that opened it may be gone.
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h2')?.focus();
  };
  // The second press of a double click is meant for what was there before the question.
  const once = (event: MouseEvent): void => {
    if (event.detail > 1) event.preventDefault();
  };
  const label = action(values);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={closed}>
      <form class="stack" onSubmit={form.submit}>
        <h2 id={id}>{title}</h2>
        <div class="stack" hidden={isLast}>
          {text.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <Fields {...form} />
        </div>
        <p class="question" ref={last} tabIndex={-1} hidden={!isLast}>
          {sure?.(values)}
        </p>
        <Problem error={error} fields={fields} />
        <div class="buttons end">
          <button type="button" onClick={() => (isLast ? setLast(false) : dialog.current?.close())}>
            Back
          </button>
          <button type="submit" class="primary" onClick={once}>
            {isLast ? `Yes, ${label.charAt(0).toLowerCase()}${label.slice(1)}` : label}
          </button>
        </div>
      </form>
    </dialog>
  );
}
