import { moveSession, announcePaidAgain } from '../../sessions/move-session.js';
import type { Changes, PaidBeside } from '../../store/payment-writer.js';
import type {
  OperationRecord,
  PaymentRecord,
  ReferenceRecord,
  SessionRecord,
  EventRecord,
  TimelineRecord,
} from '../../store/schema.js';
import { isAnnounced } from '../state/payment-state.js';
import { holdsMoney } from '../state/money-held.js';
import { Recorder, type Circumstances } from './recorder.js';
import { needsFor, withAttention, withoutAttention, type Attention } from '../state/attention.js';
import { anyOnItsWay } from '../state/operation-state.js';

/** A payment as a write leaves it, with its rows. */
interface Own {
  readonly before: PaymentRecord;
  /** Changed in place. */
  readonly payment: PaymentRecord;
  readonly session: SessionRecord;
  readonly reference: ReferenceRecord;
  readonly openOperations: readonly OperationRecord[];
}

/** The rows of the other payments of its reference. */
interface Others {
  readonly paidBeside: readonly PaidBeside[];
  readonly liveBeside?: readonly PaidBeside[];
}

interface Manner {
  readonly recorder: Recorder;
  readonly circumstances: Circumstances;
  /** The payment was paid after it had been closed unpaid. */
  readonly late: boolean;
  /** Whether duplicates are voided. */
  readonly voidDuplicates: boolean;
}

/** Which payment pays an order after a write about one of them: what that changes of sessions and payments, and what is announced. */
export class Places {
  session: SessionRecord;
  reference: ReferenceRecord;
  beside: Changes['beside'];

  constructor(
    private readonly own: Own,
    private readonly others: Others,
    private readonly manner: Manner,
  ) {
    this.session = own.session;
    this.reference = own.reference;
  }

  /**
   * @param announceWhatFollows what was given back of this payment. It is announced after its own success, and before another payment
   * takes its place.
   */
  settle(announceWhatFollows: () => void): void {
    const { own, others, manner } = this;
    const { payment, before, openOperations } = own;
    if (payment.status !== 'succeeded' && before.status !== 'succeeded') {
      announceWhatFollows();
      return;
    }
    assertAllRead(own.reference, payment.id, others.paidBeside);
    const isNew = before.status !== 'succeeded';
    const one: PaidBeside = { payment, session: own.session, openOperations: [...openOperations] };
    const paid = [...others.paidBeside, ...(payment.status === 'succeeded' ? [one] : [])];
    const paying = whoPays(paid, own.reference.paidPaymentIds, isNew ? payment.id : undefined);
    const holds = paying.holding.includes(one);
    if (paying.payer === one) this.takePlace(isNew);
    else if (paying.payer && (isNew || holds)) this.becomeDuplicate(paying.payer.payment, isNew, holds);
    this.reference = withPaid(own.reference, paying.paidPaymentIds);
    announceWhatFollows();
    if (isNew && !holds) this.announceEmpty();
    this.leavePlace(paying);
    const sessionOf = ({ session }: PaidBeside): SessionRecord =>
      session.id === this.session.id ? this.session : session;
    this.takeBeside(handOver(paying, payment.id, manner.circumstances, { ...manner, sessionOf }));
    if (holds && !holdsMoney(before))
      this.takeBeside(overtakenHolds(others.liveBeside ?? [], manner.circumstances));
  }

  /** This payment pays its order. Where the shop does not know that yet, it is told. */
  private takePlace(isNew: boolean): void {
    const { own, session, manner } = this;
    const { payment, before } = own;
    const wasDuplicate = before.duplicateOf !== null;
    payment.duplicateOf = null;
    if (wasDuplicate) manner.recorder.enter('duplicate_ended', { detail: { was: before.duplicateOf ?? '' } });
    const isNews =
      isNew || wasDuplicate || !isAnnounced(before) || (!holdsMoney(before) && session.status !== 'paid');
    if (!isNews) return;
    payment.announcedPaidAt ??= manner.circumstances.at;
    const late = isNew ? manner.late : undefined;
    const paid = announcePaying(manner.recorder, session, manner.circumstances, late);
    this.session = paid.session;
    manner.recorder.events.push(paid.event);
  }

  /** Another payment pays the order. One that holds no money is announced as a duplicate only once it does. */
  private becomeDuplicate(payer: PaymentRecord, isNew: boolean, holds: boolean): void {
    const { own, manner } = this;
    const { payment, before } = own;
    const isNews = isNew || before.duplicateOf === null || !holdsMoney(before);
    if (payment.duplicateOf === payer.id && !isNews) return;
    payment.duplicateOf = payer.id;
    if (!isNew && isAnnounced(before)) payment.announcedPaidAt ??= manner.circumstances.at;
    if (!holds) return;
    manner.recorder.enter('duplicate', { detail: { of: payer.id } });
    if (isNews) manner.recorder.announce('payment.duplicate', { late: manner.late });
  }

  /** A payment is paid that holds no money: what became of the money tells so, also where that was told before. */
  private announceEmpty(): void {
    const { recorder, late } = this.manner;
    const { disputed, id } = this.own.payment;
    const tells = disputed ? 'payment.disputed' : 'payment.refunded';
    const isTold = recorder.events.some(({ type, aggregateId }) => aggregateId === id && type === tells);
    if (!isTold) recorder.announce(tells, { late });
  }

  /**
   * The session of a payment that was voided is closed where it paid the order and no other of that session does or may yet. So is one
   * whose payer was voided before, once the last payment that might have taken its place holds no money.
   */
  private leavePlace({ payer, holding, paidPaymentIds }: Paying): void {
    const { own, session, manner } = this;
    const { payment, before } = own;
    if (before.status !== 'succeeded' || session.status !== 'paid') return;
    const candidates = payer ? [payer] : holding;
    const paidHere = candidates.some((one) => one.session.id === session.id);
    const left = payment.status === 'voided' && before.duplicateOf === null && !paidHere;
    const vacant = before.duplicateOf !== null && holdsMoney(before) && paidPaymentIds.length === 0;
    if (!left && !vacant) return;
    const moved = moveSession(session, { ...manner.circumstances, to: 'closed', closedReason: 'voided' });
    if (!moved) return;
    this.session = moved.session;
    manner.recorder.events.push(moved.event);
  }

  private takeBeside({ payments, session, timeline, events }: HandOver): void {
    if (payments.length === 0) return;
    const sameSession = session?.id === this.session.id;
    if (session && sameSession) this.session = session;
    const other = session && !sameSession ? session : this.beside?.session;
    this.beside = {
      payments: [...(this.beside?.payments ?? []), ...payments],
      ...(other && { session: other }),
    };
    const { recorder } = this.manner;
    recorder.timeline.push(...timeline);
    recorder.events.push(...events);
  }
}

/** The row with the payments that keep the reference paid; the same one where they are the same. Pure. */
function withPaid(reference: ReferenceRecord, paidPaymentIds: string[]): ReferenceRecord {
  const same =
    reference.paidPaymentIds.length === paidPaymentIds.length &&
    reference.paidPaymentIds.every((id, index) => id === paidPaymentIds[index]);
  return same ? reference : { ...reference, paidPaymentIds };
}

/** The rows of other payments that a write changes. */
interface HandOver {
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
function handOver(
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
    heir.recorder.enter('duplicate_ended', { detail: { was: payer.payment.duplicateOf } });
    if (payer.payment.needsAttention && attentionReason === null) heir.recorder.enter('attention_lifted', {});
    const paid = announcePaying(heir.recorder, sessionOf(payer), circumstances);
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
    follower.recorder.enter('duplicate', { detail: { of: payer.payment.id } });
    if (isNews) follower.recorder.announce('payment.duplicate', { late: false });
    if (isKept) announceAttention(follower, notVoided);
    take(done, follower);
  }
  return done;
}

/** Holds of an order that money has just paid: nobody will complete them, and a person must release them. */
function overtakenHolds(beside: readonly PaidBeside[], circumstances: Circumstances): HandOver {
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
function announcePaying(
  recorder: Recorder,
  session: SessionRecord,
  circumstances: Circumstances,
  late = session.status === 'closed' || session.status === 'expired',
): { session: SessionRecord; event: EventRecord } {
  recorder.announce('payment.succeeded', { late });
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

function announceAttention({ recorder }: Touched, { reason }: Attention): void {
  recorder.enter('needs_attention', { detail: { reason } });
  recorder.announce('payment.needs_attention', { late: false });
}

interface Touched {
  payment: PaymentRecord;
  recorder: Recorder;
}

function take(done: HandOver, { payment, recorder }: Touched): void {
  done.payments.push(payment);
  done.timeline.push(...recorder.timeline);
  done.events.push(...recorder.events);
}

/** The payment with a change, and its recorder. Its lease is left to whoever holds it. */
function touched(
  before: PaymentRecord,
  change: Partial<PaymentRecord>,
  circumstances: Circumstances,
): Touched {
  const updatedAt = Math.max(circumstances.at, before.updatedAt);
  const payment = { ...before, ...change, version: before.version + 1, updatedAt };
  return { payment, recorder: new Recorder(payment, { ...circumstances, at: updatedAt }) };
}

/** Who pays a reference, and which payments keep it from being paid again. */
interface Paying {
  /** Undefined where none holds money, or where those that do have not been announced and may be about to give it back. */
  payer: PaidBeside | undefined;
  /** All that hold money, by the time of their success. */
  holding: readonly PaidBeside[];
  /** For the row of the reference: the payer first. */
  paidPaymentIds: string[];
}

/**
 * Who pays a reference, of its paid payments: the first that holds money and has ever been announced as paying. Where there is none, the next
 * one that holds money and has no operation on its way becomes it. `newcomer` has just been paid, so it takes nobody's place, and pays
 * even with an operation on its way. One that was given back whole keeps its reference from being paid again until another one pays: the
 * order was paid and given back. Pure.
 */
function whoPays(paid: readonly PaidBeside[], paidBefore: readonly string[], newcomer?: string): Paying {
  const holding = paid
    .filter(({ payment }) => holdsMoney(payment))
    .sort((one, other) => (one.payment.closedAt ?? 0) - (other.payment.closedAt ?? 0));
  const isNew = ({ payment }: PaidBeside): boolean => payment.id === newcomer;
  const isKnown = (one: PaidBeside): boolean => isAnnounced(one.payment) && !isNew(one);
  const payer = holding.find(isKnown) ?? holding.find((one) => isNew(one) || mayTakeOver(one));
  const ids = holding.filter((one) => one !== payer).map(({ payment }) => payment.id);
  const givenBack = paid
    .filter((one) => isKnown(one) && !holding.includes(one) && paidBefore.includes(one.payment.id))
    .map(({ payment }) => payment.id);
  return { payer, holding, paidPaymentIds: payer ? [payer.payment.id, ...ids] : [...givenBack, ...ids] };
}

/** Whether a duplicate may be announced as paying: what it holds is clear, and nothing of it is on its way. */
function mayTakeOver({ payment, openOperations }: PaidBeside): boolean {
  return !anyOnItsWay(openOperations) && !needsFor(payment, 'refund_unclear');
}

/** Throws where not all other paid payments of the reference were read with the payment `ownId`. */
function assertAllRead(
  { paidPaymentIds }: ReferenceRecord,
  ownId: string,
  paidBeside: readonly PaidBeside[],
): void {
  const isRead = (id: string): boolean => id === ownId || paidBeside.some(({ payment }) => payment.id === id);
  if (!paidPaymentIds.every(isRead)) {
    throw new Error('A paid payment of the reference was not read with the one that is written');
  }
}
