import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { holdsCardNumber } from '../../card-numbers/holds-card-number.js';

/** The characters that a caller's id may have. None of them can break a header line or a log line. */
const GIVEN = /^[A-Za-z0-9._-]{1,128}$/;

/** The W3C trace context header. A trace id of only zeros is invalid. */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/**
 * The id of a request: the caller's `X-Request-Id` if it is 1 to 128 characters of `A-Za-z0-9._-` and holds no card
 * number, else the trace id of a valid `traceparent`, else a fresh random one.
 */
export function chooseRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && GIVEN.test(given) && !holdsCardNumber(given)) return given;
  const trace = request.headers['traceparent'];
  const traceId = typeof trace === 'string' ? TRACEPARENT.exec(trace)?.[1] : undefined;
  return traceId ?? randomUUID();
}

/** The id of this request, as in the answer's `X-Request-Id`, in problem documents and in the log. */
export function requestId(request: { readonly id: string }): string {
  return request.id;
}
