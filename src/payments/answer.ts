import { isSafeRedirect } from '../gateway/redirect.js';
import type { GatewayAnswer } from '../gateway/gateway-result.js';
import { formatMajor } from '../money/money.js';
import type { NextAction, PaymentMethod, PaymentRecord } from '../store/schema.js';

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

/** When the gateway lets the payment end by itself, in milliseconds since the epoch, where the answer says so. */
export function gatewayExpiry(answer: GatewayAnswer): number | undefined {
  if (answer.expiresAt === undefined) return undefined;
  const at = Date.parse(answer.expiresAt);
  return Number.isNaN(at) ? undefined : at;
}

/** The redirect that an answer asks for, unless its address is one that no payer should be sent to. */
export function redirectAction(answer: GatewayAnswer, mode: 'test' | 'live'): NextAction | undefined {
  const { redirectUrl: url, redirectMethod: method = 'GET', redirectFields: fields } = answer;
  if (url === undefined || !isSafeRedirect(url, mode)) return undefined;
  return { type: 'redirect', url, method, ...(fields && { fields }) };
}

/** The next action that an answer fills for this method, if it fills it wholly. */
export function filledAction(
  method: PaymentMethod,
  answer: GatewayAnswer,
  payment: PaymentRecord,
  mode: 'test' | 'live',
): NextAction | undefined {
  if (method === 'card' || method === 'wallet') return redirectAction(answer, mode);
  if (method === 'transfer') {
    const { accountNumber, bankName, accountName = null } = answer;
    if (accountNumber === undefined || bankName === undefined) return undefined;
    const expiry = gatewayExpiry(answer);
    return {
      type: 'transfer',
      bankName,
      accountNumber,
      accountName,
      amount: formatMajor(payment.amount, payment.currency),
      ...(expiry !== undefined && { expiresAt: new Date(expiry).toISOString() }),
    };
  }
  if (answer.ussdCode === undefined) return undefined;
  return {
    type: 'ussd',
    code: answer.ussdCode,
    ...(answer.bankName !== undefined && { bankName: answer.bankName }),
  };
}
