import type { PaymentRecord } from '../../store/schema.js';
import { needsFor } from './attention.js';

/**
 * Whether anything of a payment was given back or charged back, as far as the gateway has said: how much may be unclear.
 * Such a payment is not voided, for its whole amount can no longer be reversed.
 */
export function isGivenBack(
  payment: Pick<PaymentRecord, 'amountRefunded' | 'disputed' | 'attentionReason'>,
): boolean {
  return payment.disputed || (payment.amountRefunded ?? 0n) > 0n || needsFor(payment, 'refund_unclear');
}
