import { announcePaidAgain, moveSession } from '../../sessions/move-session.js';
import type { PaidBeside } from '../../store/payment-writer.js';
import type { EventRecord, PaymentRecord, SessionRecord, TimelineRecord } from '../../store/schema.js';
import { isAnnounced } from '../state/announced.js';
import { needsFor, withAttention, withoutAttention, type Attention } from '../state/attention.js';
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
 * of the one that pays; one that paid until now is announced so, and where the policy voids duplicates, which that one is not to be, a
 * person must look at it. `sessionOf` gives a session as the write leaves it. Pure but for ids.
 */
export function handOver(
  { payer, holding }: Paying,
  ownId: string,
  circumstances: Circumstances,
  { sessionOf, voidDuplicates }: { sessionOf: (paid: PaidBeside) => SessionRecord; voidDuplicates: boolean },
): HandOver {
  const done: HandOver = { payments: [], timeline: [], events: [] };
  if (!payer) return done;
  if (payer.payment.id !== ownId && payer.payment.duplicateOf !== null) {
    const attentionReason = withoutAttention(
      payer.payment.attentionReason,
      ({ reason }) => reason === 'duplicate_not_voided',
    );
    const heir = touched(
      payer.payment,
      {
        duplicateOf: null,
        announcedPaidAt: payer.payment.announcedPaidAt ?? circumstances.at,
        attentionReason,
        needsAttention: attentionReason !== null,
      },
      circumstances,
    );
    heir.chronicle.enter('duplicate_ended', { detail: { was: payer.payment.duplicateOf } });
    if (payer.payment.needsAttention && attentionReason === null)
      heir.chronicle.enter('attention_lifted', {});
    const paid = announcePaying(heir.chronicle, sessionOf(payer), circumstances);
    take(done, heir);
    done.session = paid.session;
    done.events.push(paid.event);
  }
  for (const { payment } of holding) {
    if (payment.id === ownId || payment.id === payer.payment.id) continue;
    if (payment.duplicateOf === payer.payment.id) continue;
    const isNews = payment.duplicateOf === null;
    const paidUntilNow = isNews && isAnnounced(payment);
    const notVoided = { reason: 'duplicate_not_voided', answer: payer.payment.id } as const;
    const isKept = paidUntilNow && voidDuplicates;
    const follower = touched(
      payment,
      {
        duplicateOf: payer.payment.id,
        ...(paidUntilNow && { announcedPaidAt: payment.announcedPaidAt ?? circumstances.at }),
        ...(isKept && withReason(payment, notVoided)),
      },
      circumstances,
    );
    follower.chronicle.enter('duplicate', { detail: { of: payer.payment.id } });
    if (isNews) follower.chronicle.announce('payment.duplicate', { late: false });
    if (isKept) announceAttention(follower, notVoided);
    take(done, follower);
  }
  return done;
}

/** Holds of an order that money has just paid: nobody will complete them, and a person must release them. */
export function overtakenHolds(beside: readonly PaidBeside[], circumstances: Circumstances): HandOver {
  const done: HandOver = { payments: [], timeline: [], events: [] };
  for (const { payment } of beside) {
    const attention = { reason: 'hold_beside_another_payment' } as const;
    if (payment.status !== 'authorized' || needsFor(payment, attention.reason)) continue;
    const hold = touched(payment, withReason(payment, attention), circumstances);
    announceAttention(hold, attention);
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

/** What changes in a payment's row where a person must look at it. */
function withReason(
  { attentionReason }: PaymentRecord,
  attention: Attention,
): Pick<PaymentRecord, 'needsAttention' | 'attentionReason'> {
  return { needsAttention: true, attentionReason: withAttention(attentionReason, attention) };
}

function announceAttention({ chronicle }: Touched, { reason }: Attention): void {
  chronicle.enter('needs_attention', { detail: { reason } });
  chronicle.announce('payment.needs_attention', { late: false });
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
