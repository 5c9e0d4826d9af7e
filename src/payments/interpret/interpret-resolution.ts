import { Problem } from '../../http/problems/problem.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import { needsFor, type AttentionReason } from '../state/attention.js';
import { failure } from '../state/failures.js';
import { takenBackTwice } from '../state/money-held.js';
import { canMove, isClosedUnpaid } from '../state/payment-state.js';
import { ABOUT_OPEN_REFUND, cameBack } from './interpret-refund.js';
import { refundedOfUnpaid } from './answer.js';
import { cleanMessage } from './payer-message.js';
import { ownRefunds } from './own-refunds.js';
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

/** What a person's word is held against. `ownerGone`: no process holds the payment's lease. */
interface ResolvedRows {
  payment: PaymentRecord;
  openOperations: readonly OperationRecord[];
  ownerGone: boolean;
}

/**
 * What a person's decision means for a payment. Throws `invalid-state` for a payment that needs no attention, and for a
 * status that it cannot get, and `operation-in-progress` while an operation of it is being sent: a person cannot know yet what
 * comes of that, and its answer could move money after their word. `ownerGone` says that no process is at work on the payment,
 * so that nobody sends what is still `intended`. Pure.
 */
export function interpretResolution(resolution: Resolution, rows: ResolvedRows): PaymentUpdate {
  const { payment, openOperations } = rows;
  if (!payment.needsAttention) throw new Problem('invalid-state', 'This payment does not need attention.');
  assertNothingBeingSent(rows);
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
  // Of what was not paid nothing has arrived.
  const received = status === 'succeeded' ? amountReceived : undefined;
  const captured =
    received ??
    (status === 'succeeded' && !stays
      ? (completion?.amount ?? payment.amountAuthorized ?? payment.amount)
      : undefined);
  const told = status === 'succeeded' && !stays && refundedOfUnpaid(payment, captured ?? payment.amount);
  // One that was given back whole pays no order.
  const refunded = typeof told === 'bigint' ? told : undefined;
  const amounts = {
    ...(captured !== undefined && { amountCaptured: captured }),
    ...(refunded !== undefined && { amountRefunded: refunded }),
  };
  if (status === 'succeeded' && takenBackTwice({ ...payment, ...amounts }) > takenBackTwice(payment)) {
    throw new Problem('invalid-state', 'More than this was given back or charged back of the payment.');
  }
  return {
    ...(!stays && {
      move: { to: status, by: 'person', ...(status === 'failed' && { failure: failure('resolved') }) },
    }),
    ...(captured !== undefined && { captured }),
    ...(refunded !== undefined && { refunded }),
    ...(status === 'succeeded' && needsFor(payment, 'dispute_contradicted') && { disputeWon: true }),
    // What became of a refund is said of the refund itself.
    operations: others.map((operation) => ({
      id: operation.id,
      status: confirmedBy(operation, status) ? 'confirmed' : 'refused',
    })),
    conclusive: true,
    resolved: true,
    timelineNote: { type: 'resolved', detail: { as: status, note: cleanMessage(note, []) ?? '' } },
  };
}

/**
 * What a person's decision about a refund means: one that is open is settled, one that was done may have come back, and one that failed
 * may have been done. Throws `invalid-state` where the payment has no such refund or nothing about it is to be settled, and
 * `operation-in-progress` while it is being sent. Pure.
 */
export function interpretRefundResolution(
  resolution: RefundResolution,
  rows: ResolvedRows & { settledRefunds?: readonly OperationRecord[] },
): PaymentUpdate {
  const { refundId, status, note } = resolution;
  const { payment, openOperations, settledRefunds = [] } = rows;
  assertNothingBeingSent(rows);
  const settled = settledRefunds.find(({ id }) => id === refundId);
  if (settled) return resolveSettled(resolution, settled, payment, settledRefunds);
  const refund = openOperations.find(({ id, type }) => type === 'refund' && id === refundId);
  if (!refund) throw new Problem('invalid-state', 'This payment has no such refund.');
  return {
    operations: [{ id: refund.id, status: STATUS_OF[status] }],
    ...refundSettled({ refundId, status, note }, [...ABOUT_OPEN_REFUND, 'refund_unclear']),
  };
}

const STATUS_OF = { succeeded: 'confirmed', failed: 'refused' } as const;

function refundSettled(
  { refundId, status, note }: RefundResolution,
  lifts: readonly AttentionReason[],
): PaymentUpdate {
  return {
    conclusive: true,
    refundResolved: true,
    lifts,
    timelineNote: {
      type: 'resolved',
      detail: { refund: refundId, as: status, note: cleanMessage(note, []) ?? '' },
    },
  };
}

/**
 * A person's word about a refund whose outcome was known. What was taken for one that failed, because the gateway's sum rose by it, is
 * not given back where the person says that it failed indeed: the sum goes on holding it.
 */
function resolveSettled(
  resolution: RefundResolution,
  refund: OperationRecord,
  payment: PaymentRecord,
  settledRefunds: readonly OperationRecord[],
): PaymentUpdate {
  const contradicted = needsFor(payment, 'refund_contradicted');
  const { id, amount } = refund;
  const to = STATUS_OF[resolution.status];
  const settled = refundSettled(resolution, [...ABOUT_OPEN_REFUND, 'refund_contradicted']);
  if (refund.status === to && !contradicted) {
    throw new Problem('invalid-state', `This refund is already ${STATUS_WORDS[to]}.`);
  }
  if (to === 'confirmed') {
    const own = ownRefunds(settledRefunds) + (refund.status === to ? 0n : (amount ?? 0n));
    return { ...settled, refunded: own, operations: [{ id, status: to, settled: { fallHeardAt: null } }] };
  }
  const counted = (payment.amountRefunded ?? 0n) - ownRefunds(settledRefunds) >= (amount ?? 0n);
  if (refund.status === to) {
    const held = counted && { settled: { inSum: true, cameBack: true } as const };
    return { ...settled, ...(held && { operations: [{ id, status: to, ...held }] }) };
  }
  return { ...settled, operations: [cameBack(refund)] };
}

const STATUS_WORDS = { confirmed: 'known to have been done', refused: 'known to have failed' } as const;

/** Throws `operation-in-progress` while a living process sends an operation of the payment. One of unknown outcome is not being sent. */
function assertNothingBeingSent({ payment, openOperations, ownerGone }: ResolvedRows): void {
  const sending = !ownerGone && openOperations.find((operation) => operation.status === 'intended');
  if (!sending) return;
  throw new Problem('operation-in-progress', 'An operation on this payment is being sent. Try again later.', {
    paymentId: payment.id,
  });
}

/** Whether the resolved status is the one that the operation aimed at. */
function confirmedBy(operation: OperationRecord, status: Resolution['status']): boolean {
  return operation.type === 'void' ? status === 'voided' : status === 'succeeded';
}
