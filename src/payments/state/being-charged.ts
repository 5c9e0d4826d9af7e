import type { GatewayMeaning } from '../../gateway/gateway-result.js';
import { methodOf } from '../../methods/methods.js';
import type { PaymentRecord } from '../../store/schema.js';

/**
 * Whether a card is being charged: the card, or the code or PIN that was asked for, has been sent, and no answer has named a next action
 * or an end since. That is not waiting for the payer: only the word of the gateway or of a person ends it, since the money may be
 * taken at any moment. Pure.
 */
export function isBeingCharged({ status, method }: Pick<PaymentRecord, 'status' | 'method'>): boolean {
  // Whatever only begins with its first call takes no money by it.
  return status === 'processing' && methodOf(method).finishesAtOnce;
}

/** Whether a card goes on being charged after an answer that says that the gateway waits: it names nothing that it waits for. Pure. */
export function isStillCharged(
  payment: Pick<PaymentRecord, 'status' | 'method'>,
  meaning: GatewayMeaning,
): boolean {
  return isBeingCharged(payment) && meaning === 'processing';
}
