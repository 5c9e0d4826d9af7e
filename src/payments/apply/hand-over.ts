import { announcePaidAgain, moveSession } from '../../sessions/move-session.js';
import type { PaidBeside } from '../../store/payment-writer.js';
import type { EventRecord, PaymentRecord, SessionRecord, TimelineRecord } from '../../store/schema.js';
import { reasonOf, writeAttention } from '../state/attention.js';
import { Chronicle, type Circumstances } from './chronicle.js';
import type { Paying } from './who-pays.js';

/** The rows of other payments that a write changes. */
export interface HandOver {
  payments: PaymentRecord[];
  /** The session of the payment that pays now, where it is another one than before. */
  session?: SessionRecord;
  timeline: TimelineRecord[];
  events: EventRecord[];
}

/**
 * What becomes of the other paid payments of a reference after a write about the payment `ownId`. One that pays now, which the
 * shop knows as a duplicate, is announced as `payment.succeeded`, and its session as paid. The rest that hold money are duplicates
 * of the one that pays; one that paid until now is announced so. `sessionOf` gives a session as the write leaves it. Pure but for ids.
 */
export function handOver(
  { payer, holding }: Paying,
  ownId: string,
  circumstances: Circumstances,
  {
    sessionOf,
    checkDuplicates,
  }: { sessionOf: (paid: PaidBeside) => SessionRecord; checkDuplicates: boolean },
): HandOver {
  const done: HandOver = { payments: [], timeline: [], events: [] };
  if (!payer) return done;
  if (payer.payment.id !== ownId && payer.payment.duplicateOf !== null) {
    const lifts = reasonOf(payer.payment.attentionReason) === 'duplicate_not_voided';
    const heir = touched(
      payer.payment,
      { duplicateOf: null, ...(lifts && { needsAttention: false, attentionReason: null }) },
      circumstances,
    );
    heir.chronicle.enter('duplicate_ended', { detail: { was: payer.payment.duplicateOf } });
    if (lifts) heir.chronicle.enter('attention_lifted', {});
    const paid = announcePaying(heir.chronicle, sessionOf(payer), circumstances);
    take(done, heir);
    done.session = paid.session;
    done.events.push(paid.event);
  }
  for (const { payment } of holding) {
    if (payment.id === ownId || payment.id === payer.payment.id) continue;
    if (payment.duplicateOf === payer.payment.id) continue;
    const paidUntilNow = payment.duplicateOf === null;
    const follower = touched(
      payment,
      {
        duplicateOf: payer.payment.id,
        ...(paidUntilNow && checkDuplicates && { nextStatusCheckAt: circumstances.now }),
      },
      circumstances,
    );
    follower.chronicle.enter('duplicate', { detail: { of: payer.payment.id } });
    if (paidUntilNow) follower.chronicle.announce('payment.duplicate', { late: false });
    take(done, follower);
  }
  return done;
}

/** Holds of an order that money has just paid: nobody will complete them, and a person must release them. */
export function overtakenHolds(beside: readonly PaidBeside[], circumstances: Circumstances): HandOver {
  const done: HandOver = { payments: [], timeline: [], events: [] };
  for (const { payment } of beside) {
    if (payment.status !== 'authorized' || payment.needsAttention) continue;
    const reason = 'hold_beside_another_payment';
    const hold = touched(
      payment,
      { needsAttention: true, attentionReason: writeAttention({ reason }) },
      circumstances,
    );
    hold.chronicle.enter('needs_attention', { detail: { reason } });
    hold.chronicle.announce('payment.needs_attention', { late: false });
    take(done, hold);
  }
  return done;
}

/**
 * Announces that a payment pays its order, and its session as paid, also where it was already: by another payment. It is late where the
 * shop has given the order up. Pure but for ids.
 */
export function announcePaying(
  chronicle: Chronicle,
  session: SessionRecord,
  circumstances: Circumstances,
  late = session.status === 'closed' || session.status === 'expired',
): { session: SessionRecord; event: EventRecord } {
  chronicle.announce('payment.succeeded', { late });
  return (
    moveSession(session, { ...circumstances, to: 'paid', late }) ?? announcePaidAgain(session, circumstances)
  );
}

interface Touched {
  payment: PaymentRecord;
  chronicle: Chronicle;
}

function take(done: HandOver, { payment, chronicle }: Touched): void {
  done.payments.push(payment);
  done.timeline.push(...chronicle.timeline);
  done.events.push(...chronicle.events);
}

/** The payment with a change, and its chronicle. Its lease is left to whoever holds it. */
function touched(
  before: PaymentRecord,
  change: Partial<PaymentRecord>,
  circumstances: Circumstances,
): Touched {
  const updatedAt = Math.max(circumstances.at, before.updatedAt);
  const payment = { ...before, ...change, version: before.version + 1, updatedAt };
  return { payment, chronicle: new Chronicle(payment, { ...circumstances, at: updatedAt }) };
}
