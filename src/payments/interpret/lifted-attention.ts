import type { PaymentRecord } from '../../store/schema.js';
import { disputedAnswer } from '../state/attention.js';
import { namesOwnAmount, type Named } from './answer.js';

/**
 * Whether an answer about this payment removes the reason for its attention: one that names the payment's own amount, or
 * its own reference where another reference was the only thing that differed. Pure.
 */
export function liftsReason(
  reason: string | null,
  answer: Named,
  payment: PaymentRecord,
  amounts: readonly bigint[],
): boolean {
  if (namesOwnAmount(answer, payment, amounts)) return true;
  return answer.reference === payment.gatewayReference && differedInReferenceOnly(reason, payment, amounts);
}

function differedInReferenceOnly(
  reason: string | null,
  { currency: own, gatewayReference }: PaymentRecord,
  amounts: readonly bigint[],
): boolean {
  const key = disputedAnswer(reason);
  if (!reason?.startsWith('mismatch ') || key === undefined) return false;
  const [, amount = '', currency = '', ...rest] = key.split(':');
  const reference = rest.join(':');
  return (
    reference !== '' &&
    reference !== gatewayReference &&
    (amount === '' || amounts.some((right) => String(right) === amount)) &&
    (currency === '' || currency.toUpperCase() === own)
  );
}
