import { moveSession } from '../../sessions/move-session.js';
import type { Changes, PaidBeside } from '../../store/payment-writer.js';
import type { OperationRecord, PaymentRecord, ReferenceRecord, SessionRecord } from '../../store/schema.js';
import { isAnnounced } from '../state/announced.js';
import { holdsMoney } from '../state/money-held.js';
import type { Chronicle, Circumstances } from './chronicle.js';
import { announcePaying, handOver, overtakenHolds, type HandOver } from './hand-over.js';
import { assertAllRead, whoPays, type Paying } from './who-pays.js';

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
  readonly chronicle: Chronicle;
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
    if (wasDuplicate)
      manner.chronicle.enter('duplicate_ended', { detail: { was: before.duplicateOf ?? '' } });
    const isNews =
      isNew || wasDuplicate || !isAnnounced(before) || (!holdsMoney(before) && session.status !== 'paid');
    if (!isNews) return;
    payment.announcedPaidAt ??= manner.circumstances.at;
    const late = isNew ? manner.late : undefined;
    const paid = announcePaying(manner.chronicle, session, manner.circumstances, late);
    this.session = paid.session;
    manner.chronicle.events.push(paid.event);
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
    manner.chronicle.enter('duplicate', { detail: { of: payer.id } });
    if (isNews) manner.chronicle.announce('payment.duplicate', { late: manner.late });
  }

  /** A payment is paid that holds no money: what became of the money tells so, also where that was told before. */
  private announceEmpty(): void {
    const { chronicle, late } = this.manner;
    const { disputed, id } = this.own.payment;
    const tells = disputed ? 'payment.disputed' : 'payment.refunded';
    const isTold = chronicle.events.some(({ type, aggregateId }) => aggregateId === id && type === tells);
    if (!isTold) chronicle.announce(tells, { late });
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
    manner.chronicle.events.push(moved.event);
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
    const { chronicle } = this.manner;
    chronicle.timeline.push(...timeline);
    chronicle.events.push(...events);
  }
}

/** The row with the payments that keep the reference paid; the same one where they are the same. Pure. */
function withPaid(reference: ReferenceRecord, paidPaymentIds: string[]): ReferenceRecord {
  const same =
    reference.paidPaymentIds.length === paidPaymentIds.length &&
    reference.paidPaymentIds.every((id, index) => id === paidPaymentIds[index]);
  return same ? reference : { ...reference, paidPaymentIds };
}
