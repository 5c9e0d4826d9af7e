import { h, type Child } from '../element/dom.js';

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

/** An error as a person reads it. */
export function errorContent(error: unknown): Child[] {
  if (!(error instanceof Refused)) return ['That did not work.'];
  if (error.faults.length === 0) return [error.message];
  const lines = error.faults.map((fault) => h('li', {}, `${placeWords(fault)} ${fault.message}`));
  return [error.message, h('ul', {}, ...lines)];
}

/** Fills a paragraph that is an alert. */
export function showError(element: HTMLElement, error: unknown): void {
  element.replaceChildren(...errorContent(error).filter((child) => child !== undefined && child !== false));
}

/** `/amountReceived` → `Amount received:`. */
function placeWords({ pointer, line, column }: Fault): string {
  if (line !== undefined) return `Line ${line}${column === undefined ? '' : `, ${column}`}:`;
  const words = pointer
    .replace(/^\//, '')
    .replaceAll('/', ', ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}:`;
}
