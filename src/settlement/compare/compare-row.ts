import type { DifferenceKind } from '../difference.js';
import { minorOf } from '../files/file-amount.js';
import type { MovementRow } from '../files/report-row.js';
import type { KnownPayment } from '../store/known-payments.js';

/** A row that is held against the store. */
export type ComparedRow = MovementRow & { readonly type: 'payment' | 'refund' | 'chargeback' };

/**
 * What a row says otherwise than the payment of its reference; undefined where they agree. `before` is what reports say went back
 * of the payment before this row, in minor units. Pure.
 */
export function compareRow(
  row: ComparedRow,
  payment: KnownPayment | undefined,
  before: bigint,
): DifferenceKind | undefined {
  switch (row.type) {
    case 'payment':
      return comparePayment(row, payment);
    case 'refund':
      return isCovered(row, payment, before, givenBackOf) ? undefined : 'refund_unknown_here';
    case 'chargeback':
      return isCovered(row, payment, before, chargedBackOf) ? undefined : 'chargeback_unknown_here';
  }
}

function comparePayment(row: ComparedRow, payment: KnownPayment | undefined): DifferenceKind | undefined {
  if (!payment) return 'unknown_here';
  // A reversal after the payment was captured makes the sale no other: its own row says that it went back.
  const wasPaid =
    payment.status === 'succeeded' || (payment.status === 'voided' && payment.captured !== null);
  if (!wasPaid) return 'not_paid_here';
  return amountIn(row, payment) === paidOf(payment) ? undefined : 'amount_differs';
}

/** What is known to have gone back must cover this row and all that reports have named before it. */
function isCovered(
  row: ComparedRow,
  payment: KnownPayment | undefined,
  before: bigint,
  known: (payment: KnownPayment) => bigint,
): boolean {
  const amount = payment && amountIn(row, payment);
  return payment !== undefined && amount !== undefined && before + amount <= known(payment);
}

/** How much was given back, reversals of the whole included. */
function givenBackOf(payment: KnownPayment): bigint {
  return payment.status === 'voided' ? paidOf(payment) : (payment.refunded ?? 0n);
}

/** How much was charged back: all of it where nobody said how much. */
function chargedBackOf(payment: KnownPayment): bigint {
  return payment.disputed ? (payment.chargedBack ?? paidOf(payment)) : 0n;
}

/** How much was paid, in minor units. */
export function paidOf({ captured, amount }: KnownPayment): bigint {
  return captured ?? amount;
}

/** What a row names in the payment's minor units; undefined where it is of another currency. */
export function amountIn(
  { amount, currency }: Pick<ComparedRow, 'amount' | 'currency'>,
  payment: Pick<KnownPayment, 'currency'>,
): bigint | undefined {
  if (currency !== null && currency !== payment.currency) return undefined;
  return minorOf(amount, payment.currency);
}
