import type { PaymentRecord } from '../../store/schema.js';
import { disputedAnswer, reasonOf } from '../state/attention.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { namesOwnAmount, type Named } from './answer.js';

/**
 * Whether an answer about this payment removes the reason for its attention, `amounts` being the payment's own. What is
 * unclear of a refund is removed by an answer that says it. Anything else by one that names the payment's own amount, or
 * its own reference where another reference was the only thing that differed. Pure.
 */
export function liftsReason(
  payment: PaymentRecord,
  { answer, update, amounts }: { answer: Named; update: PaymentUpdate; amounts: readonly bigint[] },
): boolean {
  switch (reasonOf(payment.attentionReason)) {
    case 'refund_unclear':
      return update.refunded !== undefined;
    case 'refund_of_unpaid':
      return update.move?.to === 'succeeded';
    case 'refund_beside_operation':
    case 'refund_doubtful':
    case 'refund_contradicted':
    case 'void_denied':
    case 'charged_back_after_refund':
    case 'dispute_contradicted':
    case 'duplicate_not_voided':
      return false;
    case 'unlisted_word':
      return update.conclusive === true;
    default:
      return (
        namesOwnAmount(answer, payment, amounts) ||
        (answer.reference === payment.gatewayReference && differedInReferenceOnly(payment, amounts))
      );
  }
}

function differedInReferenceOnly(
  { attentionReason, currency: own, gatewayReference }: PaymentRecord,
  amounts: readonly bigint[],
): boolean {
  const key = disputedAnswer(attentionReason);
  if (reasonOf(attentionReason) !== 'mismatch' || key === undefined) return false;
  const [, amount = '', currency = '', ...rest] = key.split(':');
  const reference = rest.join(':');
  return (
    reference !== '' &&
    reference !== gatewayReference &&
    (amount === '' || amounts.some((right) => String(right) === amount)) &&
    (currency === '' || currency.toUpperCase() === own)
  );
}
