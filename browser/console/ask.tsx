import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Form, type Values } from './form.js';
import { useSession, type Question } from './session.js';

/** The dialog. What is shown is read anew after an answer, also after a refusal. */
export function Ask({ question, close }: { question: Question; close: () => void }): JSX.Element {
  const { announce, changed } = useSession();
  const { title, text = [], fields = [], action, run } = question;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const confirmed = async (values: Values): Promise<void> => {
    announce(await run(values).finally(changed));
    dialog.current?.close();
  };
  const closed = (): void => {
    close();
    // The button that opened it may be gone.
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h2')?.focus();
  };
  return (
    <dialog ref={dialog} class="stack" aria-labelledby={id} onClose={closed}>
      <h2 {...{ id, tabIndex: -1, autofocus: true }}>{title}</h2>
      {text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <Form {...{ fields, action, kind: 'stack', run: confirmed }}>
        <button type="button" onClick={() => dialog.current?.close()}>
          Back
        </button>
      </Form>
    </dialog>
  );
}

interface AskButtonProps {
  name: string;
  /** What it is about, for those who hear the button alone. */
  about?: string;
  kind?: string;
  question: () => Question;
}

/** A button that asks before it does something. */
export function AskButton({ name, about, kind = 'small', question }: AskButtonProps): JSX.Element {
  const { ask } = useSession();
  return (
    <button
      {...{ type: 'button', class: kind, 'aria-label': about && `${name} ${about}` }}
      onClick={() => ask(question())}
    >
      {name}
    </button>
  );
}
