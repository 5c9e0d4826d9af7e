import type { DifferenceKind } from '../difference.js';
import { minorOf } from '../files/file-amount.js';
import type { ReportRow } from '../files/report-rows.js';
import type { KnownPayment } from '../store/known-payments.js';

/**
 * What a row says otherwise than the payment of its reference; undefined where they agree. `givenBack` is what the rows above it
 * have given back of the same payment, in minor units. Pure.
 */
export function compareRow(
  row: ReportRow,
  payment: KnownPayment | undefined,
  givenBack: bigint,
): DifferenceKind | undefined {
  switch (row.type) {
    case 'payment':
      return comparePayment(row, payment);
    case 'refund':
      return isRefundKnown(row, payment, givenBack) ? undefined : 'refund_unknown_here';
    case 'chargeback':
      return payment?.disputed ? undefined : 'chargeback_unknown_here';
  }
}

function comparePayment(row: ReportRow, payment: KnownPayment | undefined): DifferenceKind | undefined {
  if (!payment) return 'unknown_here';
  if (payment.status !== 'succeeded') return 'not_paid_here';
  return amountIn(row, payment) === paidOf(payment) ? undefined : 'amount_differs';
}

/** What was given back as far as we know, reversals of the whole included, must cover this row and those above it. */
function isRefundKnown(row: ReportRow, payment: KnownPayment | undefined, givenBack: bigint): boolean {
  const amount = payment && amountIn(row, payment);
  if (!payment || amount === undefined) return false;
  const known = payment.status === 'voided' ? paidOf(payment) : (payment.refunded ?? 0n);
  return givenBack + amount <= known;
}

/** How much was paid, in minor units. */
export function paidOf({ captured, amount }: KnownPayment): bigint {
  return captured ?? amount;
}

/** What a row names in the payment's minor units; undefined where it is of another currency. */
export function amountIn({ amount, currency }: ReportRow, payment: KnownPayment): bigint | undefined {
  if (currency !== null && currency !== payment.currency) return undefined;
  return minorOf(amount, payment.currency);
}
