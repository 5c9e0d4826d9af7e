import { formatMajor } from '../../money/money.js';
import { newId, timelineId } from '../../store/ids.js';
import { NO_REFUND } from '../../store/payment-row.js';
import type {
  OperationRecord,
  OperationType,
  PaymentRecord,
  RefundColumns,
  SessionRecord,
  TimelineRecord,
} from '../../store/schema.js';

/** The row of an operation that is about to be sent. Pure but for its id. */
export function newOperation(
  payment: PaymentRecord,
  operation: { readonly type: OperationType; readonly actor: string },
  amount: bigint | null,
  owner: string,
  now: number,
  refund: RefundColumns = NO_REFUND,
): OperationRecord {
  return {
    id: newId(operation.type === 'refund' ? 'ref' : 'op'),
    paymentId: payment.id,
    type: operation.type,
    status: 'intended',
    amount,
    ...refund,
    owner,
    actor: operation.actor,
    formerCount: 0,
    seenFromMs: payment.seenMs,
    acceptedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** The timeline's entry of an operation that is about to be sent. Pure but for its id. */
export function intentEntry(payment: PaymentRecord, row: OperationRecord, now: number): TimelineRecord {
  return {
    paymentId: payment.id,
    sequence: payment.timelineSequence + 1,
    id: timelineId(payment.id, payment.timelineSequence + 1),
    type: 'operation_intended',
    at: Math.max(now, payment.updatedAt),
    fromStatus: null,
    toStatus: null,
    late: false,
    actor: row.actor,
    detail: {
      operation: row.type,
      id: row.id,
      ...(row.amount !== null && { amount: formatMajor(row.amount, payment.currency) }),
    },
  };
}

/** What the idempotency key stores of the operation that its request made. */
export function madeOf(
  session: SessionRecord,
  payment: PaymentRecord,
  row: OperationRecord,
): { sessionId: string; paymentId: string; operationId: string; sessionExpiresAt: number; lasts: boolean } {
  return {
    sessionId: session.id,
    paymentId: payment.id,
    operationId: row.id,
    sessionExpiresAt: session.expiresAt,
    lasts: row.type === 'refund',
  };
}
