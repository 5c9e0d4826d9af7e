import type { ClaimedEvent, DeliveryOutcome } from './events.repository.js';
import type { Attempt } from './webhook-sender.js';

const GONE = 410;

/**
 * What an attempt means for its event. 2xx delivers it, 410 ends it, anything else is tried again until its time is
 * over. An attempt that we interrupted ourselves is repeated at once. `now` is when the attempt ended, in milliseconds
 * since the epoch.
 */
export function interpretAttempt(
  event: Pick<ClaimedEvent, 'id' | 'leaseUntil' | 'attempts' | 'firstAttemptAt'>,
  attempt: Attempt,
  now: number,
  random?: () => number,
): DeliveryOutcome {
  const { id, leaseUntil } = event;
  const lastResult = attempt.kind === 'answered' ? `http_${attempt.status}` : attempt.reason;
  const over = (status: 'delivered' | 'gone' | 'given_up'): DeliveryOutcome => ({
    id,
    leaseUntil,
    status,
    nextAttemptAt: null,
    lastResult,
  });
  if (attempt.kind === 'answered') {
    if (attempt.status >= 200 && attempt.status < 300) return over('delivered');
    if (attempt.status === GONE) return over('gone');
  }
  const interrupted = attempt.kind === 'failed' && attempt.reason === 'interrupted';
  const nextAttemptAt = interrupted ? now : nextAttempt({ ...event, now }, random);
  return nextAttemptAt === undefined
    ? over('given_up')
    : { id, leaseUntil, status: 'pending', nextAttemptAt, lastResult };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait after the first failed attempt, after the second, and so on; the last one repeats. */
const WAITS = [1 * SECOND, 5 * SECOND, 15 * SECOND, 60 * SECOND, 5 * MINUTE, 30 * MINUTE, HOUR];

/** The jitter of a pause, so that events that failed together are not retried together. */
const JITTER = 0.2;

/** No pause is longer. An event that waits longer was planned by a clock that has been set since. */
export const LONGEST_WAIT_MS = HOUR * (1 + JITTER);

/** A clock that was set makes 72 h pass at once. Whatever it says, an event gets most of its attempts. */
const LEAST_ATTEMPTS = 60;

/** How long an event is tried, counted from its first attempt. */
export const GIVE_UP_AFTER_MS = 72 * HOUR;

/** The attempts of an event at the moment when one has failed. Times are milliseconds since the epoch. */
export interface FailedAttempt {
  /** Attempts so far, the failed one included: 1 or more. */
  attempts: number;
  firstAttemptAt: number;
  /** When the failure was known. */
  now: number;
}

/**
 * When the event is tried again, in milliseconds since the epoch; undefined to give up, because that would be more than
 * 72 h, and dozens of attempts, after its first one. `random` is uniform over [0, 1).
 */
export function nextAttempt(failed: FailedAttempt, random: () => number = Math.random): number | undefined {
  const wait = WAITS[Math.min(failed.attempts, WAITS.length) - 1] ?? HOUR;
  const at = Math.round(failed.now + wait * (1 - JITTER + 2 * JITTER * random()));
  const over = at - failed.firstAttemptAt > GIVE_UP_AFTER_MS && failed.attempts >= LEAST_ATTEMPTS;
  return over ? undefined : at;
}
