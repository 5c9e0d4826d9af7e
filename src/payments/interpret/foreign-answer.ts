import { formatMajor, minorDigits } from '../../money/money.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import type { Mismatch } from './answer.js';
import { dispute, type Disputed } from './proposed-transition.js';

/** What the gateway said of the money, for whoever compares it with what was asked for. Pure. */
export function saidOf(answer: Disputed, payment: PaymentRecord): Record<string, string> {
  const { meaning, amount } = answer;
  const currency = (answer.currency ?? payment.currency).toUpperCase();
  const isMoney = typeof amount === 'bigint' && minorDigits(currency) !== undefined;
  return { meaning, ...(isMoney && { amount: formatMajor(amount, currency), currency }) };
}

/**
 * What follows from an answer that names another reference, amount or currency: it is about another payment, so nothing is
 * moved and no operation is settled, whatever it says. A person must look. It counts as an answer, so the payment can no
 * longer be closed as never received. Pure.
 */
export function foreignAnswer(
  payment: PaymentRecord,
  answer: Disputed,
  differing: readonly Mismatch[],
): PaymentUpdate {
  return {
    answered: true,
    timelineNote: { type: 'mismatch', detail: { differs: differing.join(' '), ...saidOf(answer, payment) } },
    ...dispute(payment, 'mismatch', answer),
  };
}
