import { clientAddress } from '../../http/request/client-address.js';
import { idempotencyKey } from '../../idempotency/idempotency-key.js';
import { clientSession, type Caller, type RequestWithCaller } from '../../sessions/caller.js';

/** What a call that starts a payment needs of its request beside the body. */
export interface StartRequest {
  sessionId: string;
  idempotencyKey: string;
  path: string;
  /** Where the request came from. */
  address: string;
  /** The request's own header. */
  userAgent: string | undefined;
}

/** Throws `idempotency-key-missing`. */
export function startRequest(request: RequestWithCaller, caller: Caller, path: string): StartRequest {
  return {
    sessionId: clientSession(caller),
    idempotencyKey: idempotencyKey(request),
    path,
    address: clientAddress(request),
    userAgent: request.headers['user-agent'],
  };
}
