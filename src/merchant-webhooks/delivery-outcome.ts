import type { ClaimedEvent, DeliveryOutcome } from './events.repository.js';
import { nextAttempt } from './retry-schedule.js';
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
