import type { PaymentRecord } from '../../store/schema.js';
import { disputedAnswer } from './attention.js';

/**
 * How much money has come, in minor units, where that is not what is owed: the gateway's word of a success with another amount, which a
 * person must look at. Null where nothing else came, and where the answer was about another payment or another currency. Pure.
 */
export function amountReceived(
  payment: Pick<
    PaymentRecord,
    'attentionReason' | 'amount' | 'amountCaptured' | 'currency' | 'gatewayReference'
  >,
): bigint | null {
  const [meaning, amount = '', currency = '', ...rest] =
    disputedAnswer(payment, 'mismatch')?.split(':') ?? [];
  if (meaning !== 'succeeded' || !/^\d{1,30}$/.test(amount)) return null;
  if (currency !== '' && currency.toUpperCase() !== payment.currency) return null;
  const reference = rest.join(':');
  const isOwn = reference === '' || `${reference}:`.startsWith(`${payment.gatewayReference}:`);
  const received = BigInt(amount);
  return isOwn && received !== (payment.amountCaptured ?? payment.amount) ? received : null;
}
