import { Answer } from '../http/server/answer.js';

/**
 * What a call with an `Idempotency-Key` is answered with. A replay is 200 and says so.
 *
 * @param replayed whether an earlier call with the same key has made it
 * @param status in place of the route's own, where it is no replay
 */
export function keyedAnswer<T>(body: T, replayed: boolean, status?: number): Answer<T> {
  if (replayed) return new Answer(body, { status: 200, headers: { 'Idempotency-Replayed': 'true' } });
  return new Answer(body, status === undefined ? {} : { status });
}
