import type { OperationRecord } from '../../store/schema.js';

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
