import {
  type OperationStatus,
  type OperationRecord,
  type PaymentRecord,
  isCodeType,
} from '../../store/schema.js';
import type { PaymentUpdate } from './payment-update.js';

const MOVES: Readonly<Record<OperationStatus, readonly OperationStatus[]>> = {
  intended: ['confirmed', 'refused', 'unknown'],
  unknown: ['confirmed', 'refused'],
  confirmed: [],
  refused: [],
};

/** A refund that was done may come back, and one that counts as failed may turn out to be done. */
const SETTLED_REFUND_MOVES: typeof MOVES = {
  intended: [],
  unknown: [],
  confirmed: ['refused'],
  refused: ['confirmed'],
};

/** Whether a settled refund may go from one status to another. It is never open again. */
export function canSettledRefundMove(from: OperationStatus, to: OperationStatus): boolean {
  return SETTLED_REFUND_MOVES[from].includes(to);
}

/** Whether an operation may go from one status to another. A settled operation is never reopened. */
export function canOperationMove(from: OperationStatus, to: OperationStatus): boolean {
  return MOVES[from].includes(to);
}

/**
 * Who ended an operation: the word of the gateway or of a person, or time alone, because answers went on showing the state before it.
 * What time has ended may have been done after all. Undefined while it is on its way. Pure.
 */
export function endedBy({
  status,
  formerCount,
}: Pick<OperationRecord, 'status' | 'formerCount'>): 'word' | 'time' | undefined {
  if (status === 'intended' || status === 'unknown') return undefined;
  return status === 'refused' && formerCount > 0 ? 'time' : 'word';
}

/**
 * Whether a void of the payment was ended by time or refused in words, and nobody has said since what became of it: the whole amount may have been
 * reversed. Pure.
 */
export function isVoidDoubtful({ voidDoubtfulSince }: Pick<PaymentRecord, 'voidDoubtfulSince'>): boolean {
  return voidDoubtfulSince !== null;
}

/**
 * Whether an operation may still move money: it is about to be sent, nobody knows what became of it, or the gateway has accepted it
 * and not done it yet. Pure.
 */
export function isOnItsWay({ status }: Pick<OperationRecord, 'status'>): boolean {
  return status === 'intended' || status === 'unknown';
}

/** Whether anything of a payment is on its way, `operations` being its own. Pure. */
export function anyOnItsWay(operations: readonly Pick<OperationRecord, 'status'>[]): boolean {
  return operations.some(isOnItsWay);
}

/**
 * Operations that are still `intended` while nobody holds the payment's lease: the process that began them is gone and
 * may have sent them, so their outcome is unknown.
 */
export function orphaned(
  payment: PaymentRecord,
  operations: readonly { id: string; type: string }[],
): PaymentUpdate {
  const withCode =
    operations.some((operation) => isCodeType(operation.type)) && payment.status === 'requires_action';
  return {
    operations: operations.map(({ id }) => ({ id, status: 'unknown' as const })),
    timelineNote: { type: 'owner_lost', detail: { operation: operations.map(({ type }) => type).join(' ') } },
    ...(withCode && { move: { to: 'processing', by: 'service' } }),
  };
}
