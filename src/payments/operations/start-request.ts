import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { intended } from '../../http/server/admission-gate.js';
import { clientAddress } from '../../http/request/client-address.js';
import { idempotencyKey } from '../../idempotency/idempotency-key.js';
import { callerOf, clientSession, type RequestWithCaller } from '../../sessions/caller.js';
import { resourcePath } from '../../sessions/keyed-call.js';

/** What starting a payment needs of the HTTP request besides the body. */
export interface StartRequest {
  sessionId: string;
  idempotencyKey: string;
  path: string;
  /** Where the request came from. */
  address: string;
  /** The `User-Agent` header. */
  userAgent: string | undefined;
  /** To be called when the intent is committed: the request waits for the gateway from then on. */
  intended: () => void;
}

/** Reads the call's idempotency key. Throws `idempotency-key-missing`. */
export type ReadStartRequest = () => StartRequest;

/** What the call brings beside the body, for a client's route. A function for the same reason as `Keyed`. */
export const Starting = createParamDecorator((_: unknown, context: ExecutionContext): ReadStartRequest => {
  const request = context.switchToHttp().getRequest<RequestWithCaller>();
  return () => ({
    sessionId: clientSession(callerOf(request)),
    idempotencyKey: idempotencyKey(request),
    path: resourcePath(request),
    address: clientAddress(request),
    userAgent: request.headers['user-agent'],
    intended: () => {
      intended(request);
    },
  });
});
