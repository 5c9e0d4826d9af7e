import { pause } from '../kit/keep-trying.js';
import type { CheckoutSession } from '../kit/types.js';

/** How long before its end a session's payer is warned. */
const WARNING_MS = 120_000;
/** The longest time for which the browser's own count is trusted before the service's time is looked at again. */
const LONGEST_COUNT_MS = 60_000;
/** The service may think that a session still has a moment. */
const AGAIN_MS = 1_000;

export interface EndEvents {
  /** Little time is left. */
  warn: () => void;
  /** The time is over. Called again, each second, until the signal aborts. */
  over: () => Promise<void>;
}

/** Warns of a session's end, and tells when it has come. `now`: the service's time; where nobody knows it, nothing is told. */
export async function untilEnd(
  { expiresAt }: Pick<CheckoutSession, 'expiresAt'>,
  now: () => number | undefined,
  events: EndEvents,
  signal: AbortSignal,
): Promise<void> {
  const end = Date.parse(expiresAt);
  for (let isWarned = false; ;) {
    const left = end - (now() ?? Number.NaN);
    if (Number.isNaN(left)) return;
    if (left <= 0) await events.over();
    else if (left <= WARNING_MS && !isWarned) {
      isWarned = true;
      events.warn();
    }
    const next = left > WARNING_MS ? left - WARNING_MS : Math.max(left, AGAIN_MS);
    await pause(Math.min(next, LONGEST_COUNT_MS), signal);
  }
}
