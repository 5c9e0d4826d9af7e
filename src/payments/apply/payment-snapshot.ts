import type { Snapshot } from '../../store/payment-writer.js';
import type { PaymentSnapshot } from './apply.js';

/** The rows that a payment's write looks at. They were asked for by id, and rows are never deleted, so they exist. */
export function paymentSnapshot(snapshot: Snapshot): PaymentSnapshot {
  const { reference, session, payment, openOperations } = snapshot;
  if (!session || !payment) throw new Error('A payment is written without its session');
  return { reference, session, payment, openOperations };
}
