import type { GatewayAnswer } from '../../gateway/gateway-result.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import { toldAnswers } from '../state/attention.js';

/** What of an answer differs from the payment that it is about. */
export type Mismatch = 'amount' | 'currency' | 'reference';

/** What an answer names of the payment that it is about. */
export type Named = Pick<GatewayAnswer, 'amount' | 'currency' | 'reference'>;

/**
 * Compares what an answer claims of money with what the payment is: money of another amount or currency, or about another
 * reference, is never believed. `amounts` are those that would be right, in minor units.
 */
export function mismatches(
  answer: GatewayAnswer,
  payment: PaymentRecord,
  amounts: readonly bigint[],
): Mismatch[] {
  const missing = answer.amount === undefined && answer.amountRequired;
  const found = differences(answer, payment, amounts);
  return missing ? ['amount', ...found] : found;
}

/** The same for an answer of any meaning, which need not name an amount: one that differs is about another payment. */
export function differences(named: Named, payment: PaymentRecord, amounts: readonly bigint[]): Mismatch[] {
  const found: Mismatch[] = [];
  const { amount, currency, reference } = named;
  if (amount === 'unreadable' || (amount !== undefined && !amounts.includes(amount))) found.push('amount');
  if (currency !== undefined && currency.toUpperCase() !== payment.currency) found.push('currency');
  if (reference !== undefined && reference !== payment.gatewayReference) found.push('reference');
  return found;
}

/**
 * Every amount by which the gateway may name this payment, in minor units: asked, held, taken or about to be taken. A refund's
 * is its own.
 */
export function ownAmounts(
  { amount, amountAuthorized, amountCaptured }: PaymentRecord,
  operations: readonly Pick<OperationRecord, 'type' | 'amount'>[] = [],
): bigint[] {
  const named = [
    amount,
    amountAuthorized,
    amountCaptured,
    ...operations.filter(({ type }) => type !== 'refund').map(({ amount: named }) => named),
  ];
  return named.filter((candidate) => candidate !== null);
}

/** Whether an answer names the payment's own amount and currency in so many words. */
export function namesOwnAmount(answer: Named, payment: PaymentRecord, amounts: readonly bigint[]): boolean {
  return typeof answer.amount === 'bigint' && differences(answer, payment, amounts).length === 0;
}

/** A short text that tells one disputed answer from another, for what a person has settled. */
export function answerKey(
  answer: Named & { readonly meaning: string } & Pick<GatewayAnswer, 'refundedAmount'>,
): string {
  const { meaning, amount, currency, reference, refundedAmount } = answer;
  const key = [meaning, String(amount ?? ''), currency ?? '', reference ?? ''].join(':');
  return refundedAmount === undefined ? key : `${key}:${String(refundedAmount)}`;
}

/**
 * How much the gateway has said was given back of a payment while it was not paid here, in minor units: without a sum that can be read,
 * `refunded` is all of `whole`, and of a part it is unclear. Undefined where it has said nothing of that. Pure.
 */
export function refundedOfUnpaid(payment: PaymentRecord, whole: bigint): bigint | 'unclear' | undefined {
  const told = toldAnswers(payment, 'refund_of_unpaid').map((key) => refundedIn(key, whole));
  const sums = told.filter((sum) => typeof sum === 'bigint');
  return sums.length > 0 ? sums.reduce((most, sum) => (sum > most ? sum : most)) : told.find(Boolean);
}

function refundedIn(key: string, whole: bigint): bigint | 'unclear' | undefined {
  const [meaning, , , , sum = ''] = key.split(':');
  if (meaning !== 'refunded' && meaning !== 'partiallyRefunded') return undefined;
  const named = /^\d{1,30}$/.test(sum) ? BigInt(sum) : 0n;
  if (named > 0n) return named;
  return meaning === 'refunded' ? whole : 'unclear';
}

/**
 * A reversal of less than the whole of a paid payment, in minor units: it is a refund. What the answer says was given back
 * counts before its amount, which many gateways keep as the whole payment's. Undefined where the answer reverses the whole
 * or names no amount.
 */
export function partialReversal(answer: GatewayAnswer, payment: PaymentRecord): bigint | undefined {
  if (answer.meaning !== 'voided' || payment.status !== 'succeeded') return undefined;
  return [answer.refundedAmount, answer.amount].find((named): named is bigint => isPart(named, payment));
}

/** Whether an answer's amount is a part of what was taken. */
export function isPart(named: GatewayAnswer['amount'], payment: PaymentRecord): named is bigint {
  return typeof named === 'bigint' && named > 0n && named < (wholeOf(payment) ?? 0n);
}

/** All that was taken; undefined where nothing was, as far as is known. */
export function wholeOf({ status, amount, amountCaptured }: PaymentRecord): bigint | undefined {
  return amountCaptured ?? (status === 'succeeded' ? amount : undefined);
}
