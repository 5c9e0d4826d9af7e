import { payOperationId } from './ids.js';
import type { Changes } from './payment-writer.js';
import { decodeRow, type StoredRow } from './table.js';
import {
  type OperationRecord,
  type PayColumns,
  type PaymentRecord,
  payments,
  payOfPayment,
  type RefundColumns,
} from './schema.js';

const NO_PAY: PayColumns = {
  payStatus: null,
  payOwner: null,
  payActor: null,
  payFormerCount: null,
  paySeenFromMs: null,
  payAcceptedAt: null,
  payUpdatedAt: null,
};

/** A payment as it was read. */
export interface StoredPayment {
  payment: PaymentRecord;
  pay: PayColumns;
}

export function decodePayment(row: StoredRow): StoredPayment {
  return { payment: decodeRow(payments, row), pay: decodeRow(payOfPayment, row) };
}

/**
 * The operation that began a payment, after a write that changes `operations`; `before` is the payment as it was read. Throws
 * where an operation `pay` has another id than that of its payment.
 */
export function payAfter(
  payment: PaymentRecord,
  operations: readonly OperationRecord[] | undefined,
  before: StoredPayment | undefined,
): PayColumns {
  const changed = operations?.find(({ type, paymentId }) => type === 'pay' && paymentId === payment.id);
  if (!changed) return before?.pay ?? NO_PAY;
  if (changed.id !== payOperationId(payment.id)) {
    throw new TypeError('The operation that began a payment has another id than that of the payment');
  }
  return {
    payStatus: changed.status,
    payOwner: changed.owner,
    payActor: changed.actor,
    payFormerCount: changed.formerCount,
    paySeenFromMs: changed.seenFromMs,
    payAcceptedAt: changed.acceptedAt,
    payUpdatedAt: changed.updatedAt,
  };
}

/** What an operation that is no refund has of one. */
export const NO_REFUND: RefundColumns = {
  reason: null,
  textId: null,
  refundReference: null,
  refundedBefore: null,
  refundBaselineSaid: false,
  inSum: false,
  fallHeardAt: null,
};

/** The operation that began a payment. */
export function payOperation({ payment, pay }: StoredPayment): OperationRecord | undefined {
  if (pay.payStatus === null) return undefined;
  return {
    id: payOperationId(payment.id),
    paymentId: payment.id,
    type: 'pay',
    status: pay.payStatus,
    amount: null,
    ...NO_REFUND,
    owner: pay.payOwner ?? '',
    actor: pay.payActor ?? '',
    formerCount: pay.payFormerCount ?? 0,
    seenFromMs: pay.paySeenFromMs ?? 0,
    acceptedAt: pay.payAcceptedAt,
    createdAt: payment.createdAt,
    updatedAt: pay.payUpdatedAt ?? payment.createdAt,
  };
}

/** A payment's operations that are `intended` or `unknown`, the oldest first: that which began it, then those of the table. */
export function openOperationsOf(
  stored: StoredPayment | undefined,
  others: readonly OperationRecord[],
): OperationRecord[] {
  const pay = stored && payOperation(stored);
  const open = pay && (pay.status === 'intended' || pay.status === 'unknown');
  return open ? [pay, ...others] : [...others];
}

/** Those operations of a write that have rows of their own. */
export function ownRows(operations: readonly OperationRecord[] | undefined): OperationRecord[] {
  return (operations ?? []).filter(({ type }) => type !== 'pay');
}

/** The payments that a write writes. Throws where it changes something of another one, which has no place of its own. */
export function writtenPayments({ payment, beside, operations, timeline }: Changes): PaymentRecord[] {
  const written = [...(payment ? [payment] : []), ...(beside?.payments ?? [])];
  const isWritten = ({ paymentId }: { paymentId: string }): boolean =>
    written.some(({ id }) => id === paymentId);
  const others = operations?.every((operation) => operation.type !== 'pay' || isWritten(operation)) ?? true;
  if (!others || timeline?.every(isWritten) === false)
    throw new TypeError('What stands in a payment’s row is written with the payment or not at all');
  return written;
}
