import { isCodeType, type PaymentRecord } from '../../store/schema.js';
import type { PaymentUpdate } from './payment-update.js';

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
