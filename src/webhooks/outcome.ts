import type { Attempt } from './sender.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** The wait after each failed attempt; the last one repeats. */
const WAITS = [1 * SECOND, 5 * SECOND, 15 * SECOND, 60 * SECOND, 5 * MINUTE, 10 * MINUTE];
/** With the waits above, this many attempts take 72 hours. */
const MOST_ATTEMPTS = WAITS.length - 1 + (72 * 60) / 10;

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'given_up';

export interface Outcome {
  status: DeliveryStatus;
  attempts: number;
  /** Milliseconds since the epoch; null: it is not sent again. */
  nextAt: number | null;
  result: string;
}

/** What an attempt means: 2xx delivers, 410 ends it, anything else is tried again for 72 hours. An attempt that we ended counts for nothing. */
export function outcomeOf(attempts: number, attempt: Attempt, now: number): Outcome {
  const { status, result } = attempt;
  if (result === 'interrupted') return { status: 'pending', attempts, nextAt: now, result };
  const made = attempts + 1;
  if (status !== undefined && status >= 200 && status < 300)
    return { status: 'delivered', attempts: made, nextAt: null, result };
  if (status === 410 || made >= MOST_ATTEMPTS)
    return { status: 'given_up', attempts: made, nextAt: null, result };
  const wait = WAITS[Math.min(made, WAITS.length) - 1] ?? 10 * MINUTE;
  return { status: 'failed', attempts: made, nextAt: now + wait, result };
}
