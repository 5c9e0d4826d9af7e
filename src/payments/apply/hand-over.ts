import { announcePaidAgain, moveSession } from '../../sessions/move-session.js';
import type { PaidBeside } from '../../store/payment-writer.js';
import type {
  EventRecord,
  PaymentRecord,
  ReferenceRecord,
  SessionRecord,
  TimelineRecord,
} from '../../store/schema.js';
import { Chronicle, type Circumstances } from './chronicle.js';

/** The rows that a hand-over writes, besides those of the voided payment. */
export interface HandOver {
  payments: PaymentRecord[];
  /** The session of the payment that now pays. */
  session: SessionRecord;
  timeline: TimelineRecord[];
  events: EventRecord[];
}

/**
 * The payment that paid a reference does so no more. Of the others that are paid, the first now pays it, and the rest
 * are duplicates of that one. It is announced as `payment.succeeded` and its session as paid, since the shop knows it as
 * a duplicate only. Undefined where none is left. Pure but for ids.
 */
export function handOver(
  { paidPaymentIds }: ReferenceRecord,
  paidBeside: readonly PaidBeside[],
  circumstances: Circumstances,
): HandOver | undefined {
  const [next, ...rest] = paidPaymentIds.map((id) => {
    const found = paidBeside.find(({ payment }) => payment.id === id);
    if (!found) throw new Error('A paid payment of the reference was not read with the voided one');
    return found;
  });
  if (!next) return undefined;
  const heir = touched(next.payment, { duplicateOf: null }, circumstances);
  heir.chronicle.enter('duplicate_ended', { detail: { was: next.payment.duplicateOf ?? '' } });
  // The shop has given the order up if its session was closed. It must hear that this money is late.
  const late = next.session.status === 'closed' || next.session.status === 'expired';
  heir.chronicle.announce('payment.succeeded', { late });
  const moved = moveSession(next.session, { ...circumstances, to: 'paid', late });
  const { session, event } = moved ?? announcePaidAgain(next.session, circumstances);
  const others = rest.map(({ payment }) => {
    const follower = touched(payment, { duplicateOf: heir.payment.id }, circumstances);
    follower.chronicle.enter('duplicate', { detail: { of: heir.payment.id } });
    return follower;
  });
  const all = [heir, ...others];
  return {
    payments: all.map(({ payment }) => payment),
    session,
    timeline: all.flatMap(({ chronicle }) => chronicle.timeline),
    events: [...heir.chronicle.events, event],
  };
}

/** The payment with a change, and its chronicle. Its lease is left to whoever holds it. */
function touched(
  before: PaymentRecord,
  change: Pick<PaymentRecord, 'duplicateOf'>,
  circumstances: Circumstances,
): { payment: PaymentRecord; chronicle: Chronicle } {
  const updatedAt = Math.max(circumstances.at, before.updatedAt);
  const payment = { ...before, ...change, version: before.version + 1, updatedAt };
  return { payment, chronicle: new Chronicle(payment, { ...circumstances, at: updatedAt }) };
}
