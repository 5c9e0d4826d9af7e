import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { clientAddress } from '../../http/request/client-address.js';
import { callerOf, clientSession, type RequestWithCaller } from '../../sessions/caller.js';
import { keyedCall, type KeyedCall } from '../../sessions/keyed-call.js';

/** What starting a payment needs of the HTTP request besides the body, by which its key is compared. */
export interface StartRequest extends Omit<KeyedCall, 'content'> {
  sessionId: string;
  /** Where the request came from. */
  address: string;
  /** The `User-Agent` header. */
  userAgent: string | undefined;
}

/** Reads the call's idempotency key. Throws `idempotency-key-missing`. */
export type ReadStartRequest = () => StartRequest;

/** What the call brings beside the body, for a client's route. A function for the same reason as `Keyed`. */
export const Starting = createParamDecorator((_: unknown, context: ExecutionContext): ReadStartRequest => {
  const request = context.switchToHttp().getRequest<RequestWithCaller>();
  return () => ({
    ...keyedCall(request, {}),
    sessionId: clientSession(callerOf(request)),
    address: clientAddress(request),
    userAgent: request.headers['user-agent'],
  });
});
