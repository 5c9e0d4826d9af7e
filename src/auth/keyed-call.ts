import { holdsCardNumber } from '../card-numbers/holds-card-number.js';
import { Problem, validationFailed } from '../http/problems/problem.js';
import { actorOf, callerOf, type RequestWithCaller } from './caller.js';

/** A call with an idempotency key, and who makes it. */
export interface KeyedCall {
  /** The owner of the key: all merchant keys are one caller, a client token is another. */
  scope: string;
  key: string;
  /** The path with the values of its parameters, however the caller spelled it. */
  path: string;
  actor: string;
}

/** Throws `idempotency-key-missing`. */
export function keyedCall(request: RequestWithCaller): KeyedCall {
  const caller = callerOf(request);
  const values = request.params as Readonly<Record<string, string>>;
  return {
    scope: caller.kind === 'client' ? `session:${caller.sessionId}` : 'merchant',
    key: idempotencyKey(request),
    path: (request.routeOptions.url ?? '').replace(/:(\w+)/g, (_, name: string) => values[name] ?? ''),
    actor: actorOf(caller),
  };
}

/** Node joins a header that stands twice with a blank, which is not visible ASCII. */
const KEY = /^[\x21-\x7e]{1,255}$/;

function idempotencyKey(request: RequestWithCaller): string {
  const { 'idempotency-key': key } = request.headers;
  if (typeof key !== 'string' || !KEY.test(key)) {
    const detail = 'Send one Idempotency-Key header of 1 to 255 visible ASCII characters, such as a UUID.';
    throw new Problem('idempotency-key-missing', detail);
  }
  if (holdsCardNumber(key))
    throw validationFailed([{ pointer: '/Idempotency-Key', message: 'must hold no card number' }]);
  return key;
}
