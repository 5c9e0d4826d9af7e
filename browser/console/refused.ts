import { h } from '../element/dom.js';

/** One thing that is wrong with what was sent. */
export interface Fault {
  /** Where: `/amount`. */
  pointer: string;
  message: string;
  /** Of a file: its line, the header being 1, and its column. */
  line?: number;
  column?: string;
}

/** A refusal, with a message for the person at the console. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly faults: readonly Fault[] = [],
  ) {
    super(message);
  }
}

/** What a refused call says: the problem’s `detail`, and each of its `errors`. */
export function refusal(body: unknown): Refused {
  const problem = (body ?? {}) as Record<string, unknown>;
  const text = (name: string): string | undefined => {
    const value = problem[name];
    return typeof value === 'string' ? value : undefined;
  };
  const errors: unknown = problem['errors'];
  const faults = (Array.isArray(errors) ? (errors as Partial<Fault>[]) : []).map((fault) => ({
    ...fault,
    pointer: fault.pointer ?? '',
    message: fault.message ?? '',
  }));
  const detail = text('detail') ?? text('title') ?? 'The service refused.';
  return new Refused(text('code') ?? 'unknown', detail, faults);
}

/** A refusal of what is no amount, before anything is sent. */
export function notAnAmount(): Refused {
  return new Refused('not-an-amount', 'Check what you typed.', [
    { pointer: '/amount', message: 'must be an amount, such as 1500.00' },
  ]);
}

/**
 * Shows an error in a paragraph that is an alert. Fields of its form that are at fault are marked and tied to it, and the first of them gets
 * the focus.
 */
export function showError(element: HTMLElement, error: unknown): void {
  clearError(element);
  element.id ||= `error-${++errorCount}`;
  const faults = error instanceof Refused ? error.faults : [];
  const fields = faults.map((fault) => fieldOf(element, fault));
  const lines = faults.map((fault, index) =>
    h('li', {}, `${placeWords(fault, fields[index])} ${fault.message}`),
  );
  const message = error instanceof Refused ? error.message : 'That did not work.';
  element.replaceChildren(message, ...(lines.length === 0 ? [] : [h('ul', {}, ...lines)]));
  const marked = fields.filter((field) => field !== undefined);
  for (const field of marked) {
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-errormessage', element.id);
  }
  marked[0]?.focus();
}

/** Takes an error and its marks away. */
export function clearError(element: HTMLElement): void {
  element.replaceChildren();
  for (const field of (element.closest('form, section') ?? element).querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-errormessage');
  }
}

let errorCount = 0;

/** The field of the same form that a fault is about: it bears the name that the service gives it. */
function fieldOf(element: HTMLElement, { pointer }: Fault): HTMLElement | undefined {
  const name = pointer.split('/').at(-1) ?? '';
  if (name === '') return undefined;
  const fields = element.closest('form, section')?.querySelectorAll<HTMLElement>('[name]') ?? [];
  return [...fields].find(
    (field) => field.getAttribute('name') === name && field.closest('[hidden]') === null,
  );
}

/** `Amount received:` by the label of the field, else by where the fault is: `/amountReceived`. */
function placeWords({ pointer, line, column }: Fault, field: HTMLElement | undefined): string {
  if (line !== undefined) return `Line ${line}${column === undefined ? '' : `, ${column}`}:`;
  const label = field instanceof HTMLInputElement ? field.labels?.[0]?.textContent : undefined;
  if (label) return `${label}:`;
  const words = pointer
    .replace(/^\//, '')
    .replaceAll('/', ', ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}:`;
}
