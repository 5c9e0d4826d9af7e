import { Problem } from '../../http/problems/problem.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import { reasonOf } from '../state/attention.js';
import { failure } from '../state/failures.js';
import { canMove, isClosedUnpaid } from '../state/payment-state.js';
import { isAboutRefund } from './interpret-refund.js';
import { cleanMessage } from './payer-message.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** What a person found out about a payment by other means. */
export interface Resolution {
  status: 'succeeded' | 'failed' | 'voided';
  /** The amount that really arrived, in minor units. */
  amountReceived?: bigint;
  note: string;
}

/** What a person found out about one refund of a payment by other means. */
export interface RefundResolution {
  refundId: string;
  status: 'succeeded' | 'failed';
  note: string;
}

/**
 * What a person's decision means for a payment. Throws `invalid-state` for a payment that needs no attention, and for a
 * status that it cannot get. `ownerGone` says that no process is at work on it, so that nobody will settle what is
 * still `intended`. Pure.
 */
export function interpretResolution(
  resolution: Resolution,
  rows: { payment: PaymentRecord; openOperations: readonly OperationRecord[]; ownerGone?: boolean },
): PaymentUpdate {
  const { payment, openOperations, ownerGone = false } = rows;
  if (!payment.needsAttention) throw new Problem('invalid-state', 'This payment does not need attention.');
  const { status, amountReceived, note } = resolution;
  // "It failed" is true of a canceled or expired payment as it is.
  const stays = payment.status === status || (status === 'failed' && isClosedUnpaid(payment.status));
  if (!stays && !canMove(payment.status, status, 'person')) {
    throw new Problem(
      'invalid-state',
      `A payment that is ${payment.status} cannot be resolved as ${status}.`,
    );
  }
  const others = openOperations.filter(({ type }) => type !== 'refund');
  if (status === 'voided' && !stays && others.length < openOperations.length) {
    throw new Problem('invalid-state', 'Resolve the open refund first, by its refundId.');
  }
  const completion = openOperations.find((operation) => operation.type === 'complete');
  const captured =
    amountReceived ??
    (status === 'succeeded' && !stays
      ? (completion?.amount ?? payment.amountAuthorized ?? payment.amount)
      : undefined);
  return {
    ...(!stays && {
      move: { to: status, by: 'person', ...(status === 'failed' && { failure: failure('resolved') }) },
    }),
    ...(captured !== undefined && { captured }),
    ...(status === 'succeeded' &&
      reasonOf(payment.attentionReason) === 'dispute_contradicted' && { disputeWon: true }),
    // What became of a refund is said of the refund itself.
    operations: others
      .filter((operation) => operation.status === 'unknown' || ownerGone)
      .map((operation) => ({
        id: operation.id,
        status: confirmedBy(operation, status) ? 'confirmed' : 'refused',
      })),
    conclusive: true,
    resolved: true,
    timelineNote: { type: 'resolved', detail: { as: status, note: cleanMessage(note, []) ?? '' } },
  };
}

/**
 * What a person's decision about an open refund means. Throws `invalid-state` where the payment needs no attention or has no
 * such refund that is open, and `operation-in-progress` while it is being sent. Pure.
 */
export function interpretRefundResolution(
  { refundId, status, note }: RefundResolution,
  rows: { payment: PaymentRecord; openOperations: readonly OperationRecord[]; ownerGone: boolean },
): PaymentUpdate {
  const { payment, openOperations, ownerGone } = rows;
  if (!payment.needsAttention) throw new Problem('invalid-state', 'This payment does not need attention.');
  const refund = openOperations.find(({ id, type }) => type === 'refund' && id === refundId);
  if (!refund) throw new Problem('invalid-state', 'This payment has no such refund whose outcome is open.');
  if (refund.status === 'intended' && !ownerGone) {
    throw new Problem('operation-in-progress', 'The refund is being sent. Try again later.', {
      paymentId: payment.id,
    });
  }
  const reason = reasonOf(payment.attentionReason);
  const about = isAboutRefund(payment) || reason === 'no_conclusive_answer' || reason === 'refund_unclear';
  return {
    operations: [{ id: refund.id, status: status === 'succeeded' ? 'confirmed' : 'refused' }],
    conclusive: true,
    refundResolved: true,
    ...(about && { liftAttention: true }),
    timelineNote: {
      type: 'resolved',
      detail: { refund: refund.id, as: status, note: cleanMessage(note, []) ?? '' },
    },
  };
}

/** Whether the resolved status is the one that the operation aimed at. */
function confirmedBy(operation: OperationRecord, status: Resolution['status']): boolean {
  return operation.type === 'void' ? status === 'voided' : status === 'succeeded';
}
