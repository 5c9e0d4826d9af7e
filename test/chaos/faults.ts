import type { Random } from './random.ts';

/** A fault for the sandbox's queue, as its control interface takes it. */
export interface GatewayFault {
  kind: string;
  operation: string | string[];
  processed?: boolean;
  times?: number;
  skip?: number;
  status?: number;
  delayMs?: number;
  processAfterMs?: number;
  intervalMs?: number;
  headers?: Record<string, string>;
  body?: object;
}

type Shape = Omit<GatewayFault, 'operation'>;

/** Both truths of each: the caller sees the same, and the operation took effect or did not. */
const EITHER: readonly Shape[] = [
  { kind: 'silent' },
  { kind: 'cut' },
  { kind: 'trickle', intervalMs: 400 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 408 },
  { kind: 'html' },
  { kind: 'html', status: 504 },
  { kind: 'not-json' },
  { kind: 'wrong-json' },
  { kind: 'duplicate-keys' },
  { kind: 'huge' },
  { kind: 'redirect' },
];

/** Those that only make sense with one truth. */
const DONE: readonly Shape[] = [
  { kind: 'reset-after', processed: true },
  { kind: 'gzip-bomb', processed: true },
  { kind: 'unknown-status', processed: true },
  { kind: 'contradiction', processed: true },
  { kind: 'error-not-boolean', processed: true },
  { kind: 'other-amount', processed: true },
  { kind: 'other-currency', processed: true },
  { kind: 'delay', delayMs: 250, processed: true },
];
const NOT_DONE: readonly Shape[] = [
  { kind: 'reset-before' },
  { kind: 'status', status: 401, processed: false },
  { kind: 'status', status: 404, processed: false },
  { kind: 'status', status: 422, processed: false },
  { kind: 'status', status: 429, processed: false },
];
/** What status queries meet; money is not moved by them. */
const ASKING: readonly Shape[] = [
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'silent' },
  { kind: 'cut' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 404 },
  { kind: 'status', status: 401 },
  { kind: 'status', status: 429 },
  { kind: 'status', status: 429, headers: { 'retry-after': '1' }, times: 5 },
  { kind: 'html' },
  { kind: 'wrong-json' },
  { kind: 'lag' },
  { kind: 'forget' },
  { kind: 'unknown-status' },
  { kind: 'contradiction' },
  { kind: 'other-amount' },
  { kind: 'other-currency' },
  ...['FAILED', 'VOIDED', 'EXPIRED', 'SUCCESS'].map(foreign),
];

/** An answer about another payment, which must be worth nothing for this one. */
function foreign(status: string): Shape {
  const transaction = { status, amount: '9999.00', currency: 'USD' };
  const data = { transactionRef: '', transaction, date: '2026-01-01', errorCode: '' };
  return {
    kind: 'status',
    status: 200,
    body: { error: status === 'FAILED', message: 'Another payment', data },
  };
}

/** Every fault of a call that moves money, for a sweep. */
export const MOVING_FAULTS: readonly Shape[] = [
  ...EITHER.flatMap((shape) => [true, false].map((processed) => ({ ...shape, processed }))),
  ...DONE,
  ...NOT_DONE,
];
export const ASKING_FAULTS = ASKING;

/** Draws a fault for one of the operations that a purchase will ask for. */
export function drawFault(random: Random, operations: readonly string[]): GatewayFault {
  if (random.chance(0.25)) {
    const operation = ['transactionStatus', 'transferUssdStatus'];
    return { times: random.whole(1, 2), ...random.pick(ASKING), operation };
  }
  return { ...random.pick(MOVING_FAULTS), operation: random.pick(operations) };
}
