const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait after the first failed attempt, after the second, and so on; the last one repeats. */
const WAITS = [1 * SECOND, 5 * SECOND, 15 * SECOND, 60 * SECOND, 5 * MINUTE, 30 * MINUTE, HOUR];

/** The jitter of a pause, so that events that failed together are not retried together. */
const JITTER = 0.2;

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
 * 72 h after its first attempt. `random` is uniform over [0, 1).
 */
export function nextAttempt(failed: FailedAttempt, random: () => number = Math.random): number | undefined {
  const wait = WAITS[Math.min(failed.attempts, WAITS.length) - 1] ?? HOUR;
  const at = Math.round(failed.now + wait * (1 - JITTER + 2 * JITTER * random()));
  return at - failed.firstAttemptAt > GIVE_UP_AFTER_MS ? undefined : at;
}
