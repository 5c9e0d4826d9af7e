import type { OperationStatus } from '../../store/schema.js';

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
