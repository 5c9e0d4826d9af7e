import { h, type Child } from '../element/dom.js';
import { clearError, showError } from './refused.js';

export interface Confirmation {
  title: string;
  /** What will happen, or fields to fill in. */
  content: Child[];
  /** The label of the confirming button, which names the amount; read again whenever something is typed. */
  action: () => string;
  /** Throws a refusal where what was filled in cannot be meant. */
  check?: () => void;
  /** What is asked once more before it runs, of what was filled in; nothing is asked where there is none. */
  askAgain?: () => string;
  /** Runs when the person confirms. An error is shown, and the dialog stays open. */
  run: () => Promise<void>;
}

let dialogCount = 0;

/** Asks for confirmation before an action that cannot be undone. */
export function confirm({ title, content, action, check, askAgain, run }: Confirmation): void {
  const id = `dialog-${++dialogCount}`;
  const error = h('div', { class: 'error', role: 'alert' });
  const fields = h('div', { class: 'stack' }, ...content);
  const question = h('p', { class: 'question', hidden: true, tabindex: -1 });
  // The second press of a double click is meant for what was there before the question.
  const once = (event: Event): void => {
    if (event instanceof MouseEvent && event.detail > 1) event.preventDefault();
  };
  const act = h('button', { type: 'submit', class: 'primary', onclick: once }, action());
  const back = h('button', { type: 'button' }, 'Back');
  /** Shows the fields, or the last question about what they say. */
  const ask = (words: string | undefined): void => {
    fields.hidden = words !== undefined;
    question.hidden = words === undefined;
    question.textContent = words ?? '';
    act.textContent = words === undefined ? action() : `Yes, ${lowerFirst(action())}`;
    if (words !== undefined) question.focus();
  };
  back.addEventListener('click', () => (question.hidden ? dialog.close() : ask(undefined)));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (act.getAttribute('aria-disabled') === 'true') return;
    act.setAttribute('aria-disabled', 'true');
    clearError(error);
    try {
      check?.();
      if (askAgain !== undefined && question.hidden) {
        ask(askAgain());
        return;
      }
      await run();
      dialog.close();
    } catch (problem) {
      ask(undefined);
      showError(error, problem);
    } finally {
      act.removeAttribute('aria-disabled');
    }
  };
  const dialog = h(
    'dialog',
    { 'aria-labelledby': id, onclose: () => dialog.remove() },
    h(
      'form',
      { onsubmit: (event) => void submit(event), oninput: () => (act.textContent = action()) },
      h('h2', { id }, title),
      fields,
      question,
      error,
      h('div', { class: 'buttons' }, back, act),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

let inputCount = 0;

/** A labelled control for a dialog or a filter. */
export function labelled<T extends HTMLElement>(label: string, control: T, hint?: string): HTMLElement {
  control.id ||= `control-${++inputCount}`;
  const hintId = `${control.id}-hint`;
  if (hint !== undefined) control.setAttribute('aria-describedby', hintId);
  return h(
    'div',
    { class: 'labelled' },
    h('label', { for: control.id }, label),
    control,
    hint !== undefined && h('p', { class: 'hint', id: hintId }, hint),
  );
}

/** One of several answers, of which none is chosen beforehand. `required`: the browser itself says that one must be. */
export function choices(
  legend: string,
  name: string,
  options: readonly (readonly [value: string, label: string])[],
  required = true,
): { element: HTMLElement; chosen: () => string } {
  const inputs = options.map(([value, label]) => {
    const input = h('input', { type: 'radio', name, value, required, id: `control-${++inputCount}` });
    return { input, line: h('div', { class: 'choice' }, input, h('label', { for: input.id }, label)) };
  });
  return {
    element: h('fieldset', {}, h('legend', {}, legend), ...inputs.map(({ line }) => line)),
    chosen: () => inputs.find(({ input }) => input.checked)?.input.value ?? '',
  };
}
