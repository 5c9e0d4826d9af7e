import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { Answer } from '../http/server/answer.js';

/** Marks a call that needs an `Idempotency-Key`. Its handler returns what `keyedAnswer` makes. */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: true,
      description:
        '1 to 255 visible ASCII characters; use a UUID. A repeat with the same key gets the first result.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    }),
  );

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
