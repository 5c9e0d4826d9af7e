import type { PaymentStatus, ReferenceRecord } from '../../store/schema.js';
import { isLive } from '../state/payment-state.js';

/** The row of a reference after one of its payments moved to a status. Pure. */
export function movedReference(
  reference: ReferenceRecord,
  paymentId: string,
  to: PaymentStatus,
): ReferenceRecord {
  const { livePaymentIds, paidPaymentIds } = reference;
  const moved = (ids: string[], belongs: boolean): string[] => {
    const others = ids.filter((id) => id !== paymentId);
    return belongs ? [...others, paymentId] : others;
  };
  return {
    ...reference,
    livePaymentIds: moved(livePaymentIds, isLive(to)),
    paidPaymentIds: moved(paidPaymentIds, to === 'succeeded'),
  };
}
