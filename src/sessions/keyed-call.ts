import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { intended } from '../http/server/admission-gate.js';
import { idempotencyKey } from '../idempotency/idempotent.js';
import type { KeyedRequest } from '../idempotency/idempotency.js';
import { scopeOfSession } from '../store/payment-writer.js';
import { actorOf, callerOf, type RequestWithCaller } from './caller.js';

/** A call with an idempotency key, and who makes it. */
export interface KeyedCall extends KeyedRequest {
  /** As timelines name it. */
  actor: string;
  /** To be called when what it begins is committed, if it waits for the gateway after that. */
  intended: () => void;
}

/**
 * Reads the call's idempotency key. `content` is the whole validated body. Throws `idempotency-key-missing`.
 */
export type ReadKeyedCall = (content: object) => KeyedCall;

/**
 * The call as its idempotency key sees it. A function, because Nest reads all parameters at once and a body that does
 * not fit is refused before a key that is missing.
 */
export const Keyed = createParamDecorator((_: unknown, context: ExecutionContext): ReadKeyedCall => {
  const request = context.switchToHttp().getRequest<RequestWithCaller>();
  return (content) => keyedCall(request, content);
});

/** All merchant keys share one space of idempotency keys: the merchant is one, whoever acts for it. */
export function keyedCall(request: RequestWithCaller, content: object): KeyedCall {
  const caller = callerOf(request);
  return {
    scope: caller.kind === 'client' ? scopeOfSession(caller.sessionId) : 'merchant',
    key: idempotencyKey(request),
    path: resourcePath(request),
    content: { ...content },
    actor: actorOf(caller),
    intended: () => {
      intended(request);
    },
  };
}

/** The path of the route with what its parameters stand for, however the caller has spelt it. */
function resourcePath(request: RequestWithCaller): string {
  const values = request.params as Readonly<Record<string, string>>;
  return (request.routeOptions.url ?? '').replace(/:(\w+)/g, (_, name: string) => values[name] ?? '');
}
