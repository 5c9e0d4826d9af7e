import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { Answer } from '../http/server/answer.js';
import { Problem } from '../http/problems/problem.js';
import { whatTextHolds } from '../http/validation/held-card-data.js';
import { validationFailed } from '../http/validation/validate.js';

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

/** 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The request's idempotency key. Throws `idempotency-key-missing` where it is absent, malformed or repeated, and
 * `validation-failed` where it holds a card number, since it is stored. The server joins repeated headers with a comma, so the raw
 * list is read.
 */
export function idempotencyKey(request: {
  readonly raw: { readonly rawHeaders: readonly string[] };
}): string {
  const { rawHeaders } = request.raw;
  let key: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== 15 || name.toLowerCase() !== 'idempotency-key') continue;
    if (key !== undefined) throw missing('Send the Idempotency-Key header once.');
    key = rawHeaders[at + 1];
  }
  if (key === undefined) throw missing('Send an Idempotency-Key header, such as a UUID.');
  if (!KEY.test(key)) throw missing('An Idempotency-Key is 1 to 255 visible ASCII characters.');
  const message = whatTextHolds(key);
  if (message !== undefined) throw validationFailed([{ pointer: '/Idempotency-Key', message }]);
  return key;
}

function missing(detail: string): Problem {
  return new Problem('idempotency-key-missing', detail);
}
