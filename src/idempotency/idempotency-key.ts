import { Problem } from '../http/problems/problem.js';
import { whatTextHolds } from '../http/validation/held-card-data.js';
import { validationFailed } from '../http/validation/validate.js';

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
