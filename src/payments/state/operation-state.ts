import type { OperationStatus } from '../../store/schema.js';

const MOVES: Readonly<Record<OperationStatus, readonly OperationStatus[]>> = {
  intended: ['confirmed', 'refused', 'unknown'],
  unknown: ['confirmed', 'refused'],
  confirmed: [],
  refused: [],
};

/** Whether an operation may go from one status to another. A settled operation is never reopened. */
export function canOperationMove(from: OperationStatus, to: OperationStatus): boolean {
  return MOVES[from].includes(to);
}
