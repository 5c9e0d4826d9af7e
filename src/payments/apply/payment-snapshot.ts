import type { Snapshot } from '../../store/payment-writer.js';
import type { PaymentSnapshot } from './apply.js';

/** The rows of a payment's write. They were asked for by id and rows are never deleted, so they are there. */
export function paymentSnapshot(snapshot: Snapshot): PaymentSnapshot {
  const { reference, session, payment, openOperations } = snapshot;
  if (!session || !payment) throw new Error('A payment is written without its session');
  return { reference, session, payment, openOperations };
}
