import type { FastifyRequest } from 'fastify';
import { idempotencyKey } from '../../idempotency/idempotency-key.js';
import type { KeyedRequest } from '../../idempotency/idempotency.js';
import { actorOf, type Caller } from '../../sessions/caller.js';

/** A request to do something with a payment, and who makes it. */
export interface OperationRequest extends KeyedRequest {
  /** As timelines name it. */
  actor: string;
}

/** What a caller asks for. All merchant keys share one space of idempotency keys: the merchant is one, whoever acts for it. */
export function operationRequest(
  request: FastifyRequest,
  caller: Caller,
  paymentId: string,
  action: string,
  content: object,
): OperationRequest {
  return {
    scope: caller.kind === 'client' ? `session:${caller.sessionId}` : 'merchant',
    key: idempotencyKey(request),
    path: `/v1/payments/${paymentId}/${action}`,
    content: { ...content },
    actor: actorOf(caller),
  };
}
