/**
 * How a call goes wrong. The first group concerns the connection, the second the bytes of the answer, the third the content
 * of the answer, and the fourth the content of a status query's answer.
 */
export const FAULT_KINDS = [
  ...(['reset-before', 'reset-after', 'silent', 'cut', 'trickle', 'delay'] as const),
  ...([
    'status',
    'html',
    'not-json',
    'wrong-json',
    'duplicate-keys',
    'huge',
    'gzip-bomb',
    'redirect',
  ] as const),
  ...([
    'unknown-status',
    'contradiction',
    'error-not-boolean',
    'other-amount',
    'other-currency',
    'other-reference',
    'other-url',
  ] as const),
  ...(['lag', 'forget', 'contradict'] as const),
];

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  kind: FaultKind;
  /** Whether the operation takes effect. Always false for `reset-before` unless `processAfterMs` is given. */
  processed: boolean;
  /** Milliseconds until the operation takes effect, counted from its arrival. */
  processAfterMs?: number;
  /** Milliseconds until the answer begins. */
  delayMs?: number;
  /** HTTP status of `status` and `redirect`. */
  status?: number;
  /** Body of `status`, `html`, `not-json`, `wrong-json`; an object is written as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The target of `redirect`. By default it is an address of the sandbox that records whether the redirect was followed. */
  location?: string;
  /** Milliseconds between the bytes of `trickle`. */
  intervalMs?: number;
  /** The word of `unknown-status`, the currency of `other-currency`. */
  word?: string;
}
