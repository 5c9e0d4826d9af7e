import type { PaymentStatus, ReferenceRecord } from '../../store/schema.js';
import { isLive } from '../state/payment-state.js';

/** The row of a reference after one of its payments moved to a status. What it holds decides besides whether it pays. Pure. */
export function movedReference(
  reference: ReferenceRecord,
  paymentId: string,
  to: PaymentStatus,
): ReferenceRecord {
  const others = reference.livePaymentIds.filter((id) => id !== paymentId);
  return { ...reference, livePaymentIds: isLive(to) ? [...others, paymentId] : others };
}

/** The row with the payments that keep the reference paid; the same one where they are the same. Pure. */
export function withPaid(reference: ReferenceRecord, paidPaymentIds: string[]): ReferenceRecord {
  const same =
    reference.paidPaymentIds.length === paidPaymentIds.length &&
    reference.paidPaymentIds.every((id, index) => id === paidPaymentIds[index]);
  return same ? reference : { ...reference, paidPaymentIds };
}
