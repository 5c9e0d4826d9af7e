import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Faults, Problem } from './fields.js';

interface AskProps {
  title: string;
  /** The label of the confirming button, which names the amount. */
  action: string;
  /** The last question, for what moves money. Without it the dialog itself is the question. */
  sure?: string | undefined;
  /** Throws a refusal of what cannot be meant. */
  check?: () => void;
  /** Does it. What it throws is shown, and the dialog stays open. */
  run: () => Promise<void>;
  close: () => void;
  children: ComponentChildren;
}

/** Asks before something is done that cannot be undone, and once more before it moves money. */
export function Ask({ title, action, sure, check, run, close, children }: AskProps): JSX.Element {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const question = useRef<HTMLParagraphElement>(null);
  const isBusy = useRef(false);
  const [isLast, setLast] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (isLast) question.current?.focus();
  }, [isLast]);
  useEffect(() => {
    if (error !== undefined) dialog.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy.current) return;
    isBusy.current = true;
    setError(undefined);
    try {
      check?.();
      if (sure !== undefined && !isLast) setLast(true);
      else {
        await run();
        dialog.current?.close();
      }
    } catch (problem) {
      setLast(false);
      setError(problem);
    } finally {
      isBusy.current = false;
    }
  };
  // The second press of a double click is meant for what was there before the question.
  const once = (event: MouseEvent): void => {
    if (event.detail > 1) event.preventDefault();
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <h2 id={id}>{title}</h2>
        <div class="stack" hidden={isLast}>
          <Faults error={error}>{children}</Faults>
        </div>
        <p class="question" ref={question} tabIndex={-1} hidden={!isLast}>
          {sure}
        </p>
        <Problem error={error} />
        <div class="buttons end">
          <button type="button" onClick={() => (isLast ? setLast(false) : dialog.current?.close())}>
            Back
          </button>
          <button type="submit" class="primary" onClick={once}>
            {isLast ? `Yes, ${action.charAt(0).toLowerCase()}${action.slice(1)}` : action}
          </button>
        </div>
      </form>
    </dialog>
  );
}
