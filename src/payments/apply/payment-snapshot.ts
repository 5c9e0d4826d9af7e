import { NotInStore } from '../../store/not-in-store.js';
import type { Snapshot } from '../../store/payment-writer.js';
import { withSeenTime, type AnswerTimes } from '../state/seen-time.js';
import type { PaymentSnapshot } from './apply.js';

/** The rows that a payment's write looks at. They were asked for by id, and rows are never deleted, so they exist. */
export function paymentSnapshot(snapshot: Snapshot): PaymentSnapshot {
  const { reference, session, payment, openOperations, settledRefunds, paidBeside, liveBeside } = snapshot;
  if (!session || !payment) throw new NotInStore('A payment or its session');
  return {
    reference,
    session,
    payment,
    openOperations,
    ...(settledRefunds && { settledRefunds }),
    paidBeside,
    liveBeside,
  };
}

/** The snapshot with the time in its payment that was seen to pass until it was heard of. */
export function withSeenPayment(snapshot: Snapshot, heard: AnswerTimes, now: number): Snapshot {
  return snapshot.payment ? { ...snapshot, payment: withSeenTime(snapshot.payment, heard, now) } : snapshot;
}

/** The same at the end of an operation's call, from which its grace is counted. */
export function withEndedCall(
  snapshot: Snapshot,
  operationId: string,
  heard: AnswerTimes,
  now: number,
): Snapshot {
  const seen = withSeenPayment(snapshot, heard, now);
  const seenFromMs = seen.payment?.seenMs ?? 0;
  return {
    ...seen,
    openOperations: seen.openOperations.map((operation) =>
      operation.id === operationId ? { ...operation, seenFromMs } : operation,
    ),
  };
}
