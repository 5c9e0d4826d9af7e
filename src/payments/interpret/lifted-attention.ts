import type { PaymentRecord } from '../../store/schema.js';
import { disputedAnswer, reasonsOf, type AttentionReason } from '../state/attention.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { namesOwnAmount, type Named } from './answer.js';

interface Said {
  answer: Named;
  update: PaymentUpdate;
  /** The payment's own, in minor units. */
  amounts: readonly bigint[];
}

/**
 * The reasons for attention that an answer about this payment removes. What is
 * unclear of a refund is removed by an answer that says it. Anything else by one that names the payment's own amount, or
 * its own reference where another reference was the only thing that differed. Pure.
 */
export function liftedReasons(payment: PaymentRecord, said: Said): AttentionReason[] {
  return reasonsOf(payment).filter((reason) => liftsReason(payment, reason, said));
}

function liftsReason(
  payment: PaymentRecord,
  reason: AttentionReason,
  { answer, update, amounts }: Said,
): boolean {
  switch (reason) {
    case 'refund_unclear':
      // A sum below what is counted lags behind, or contradicts it: then it is not clear yet.
      return update.refunded !== undefined && update.refunded >= (payment.amountRefunded ?? 0n);
    case 'refund_of_unpaid':
      return update.move?.to === 'succeeded';
    case 'refund_beside_operation':
    case 'refund_doubtful':
    case 'refund_contradicted':
    case 'void_denied':
    case 'charged_back_after_refund':
    case 'dispute_contradicted':
    case 'duplicate_not_voided':
    case 'adopted_other_amount':
      return false;
    case 'unlisted_word':
      return update.conclusive === true;
    default:
      return (
        namesOwnAmount(answer, payment, amounts) ||
        (reason === 'mismatch' &&
          answer.reference === payment.gatewayReference &&
          differedInReferenceOnly(payment, amounts))
      );
  }
}

function differedInReferenceOnly(payment: PaymentRecord, amounts: readonly bigint[]): boolean {
  const { currency: own, gatewayReference } = payment;
  const key = disputedAnswer(payment, 'mismatch');
  if (key === undefined) return false;
  const [, amount = '', currency = '', ...rest] = key.split(':');
  const reference = rest.join(':');
  return (
    reference !== '' &&
    reference !== gatewayReference &&
    (amount === '' || amounts.some((right) => String(right) === amount)) &&
    (currency === '' || currency.toUpperCase() === own)
  );
}
