import type { GatewayAnswer } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';

/** What of an answer differs from the payment that it is about. */
export type Mismatch = 'amount' | 'currency' | 'reference';

/**
 * Compares what an answer carries with what the payment is: money of another amount or currency, or about another
 * reference, is never believed. `amounts` are those that would be right, in minor units.
 */
export function mismatches(
  answer: GatewayAnswer,
  payment: PaymentRecord,
  amounts: readonly bigint[],
): Mismatch[] {
  const found: Mismatch[] = [];
  const { amount } = answer;
  if (amount === undefined ? answer.amountRequired : amount === 'unreadable' || !amounts.includes(amount)) {
    found.push('amount');
  }
  if (answer.currency !== undefined && answer.currency.toUpperCase() !== payment.currency)
    found.push('currency');
  if (answer.reference !== undefined && answer.reference !== payment.gatewayReference)
    found.push('reference');
  return found;
}

/** Whether an answer names the payment's own amount and currency in so many words. */
export function namesOwnAmount(
  answer: GatewayAnswer,
  payment: PaymentRecord,
  amounts: readonly bigint[],
): boolean {
  return typeof answer.amount === 'bigint' && mismatches(answer, payment, amounts).length === 0;
}

/** A short text that tells one disputed answer from another, for what a person has settled. */
export function answerKey(answer: GatewayAnswer): string {
  return [answer.meaning, String(answer.amount ?? ''), answer.currency ?? '', answer.reference ?? ''].join(
    ':',
  );
}
