import { moveSession } from '../../sessions/move-session.js';
import type { Changes, PaidBeside } from '../../store/payment-writer.js';
import type { OperationRecord, PaymentRecord, ReferenceRecord, SessionRecord } from '../../store/schema.js';
import { holdsMoney } from '../state/money-held.js';
import type { Chronicle, Circumstances } from './chronicle.js';
import { announcePaying, handOver, overtakenHolds, type HandOver } from './hand-over.js';
import { withPaid } from './moved-reference.js';
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
  /** Whether duplicates are asked about, to be voided. */
  readonly checkDuplicates: boolean;
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
    this.leavePlace(paying);
    const sessionOf = ({ session }: PaidBeside): SessionRecord =>
      session.id === this.session.id ? this.session : session;
    this.takeBeside(handOver(paying, payment.id, manner.circumstances, { ...manner, sessionOf }));
    if (isNew && holds) this.takeBeside(overtakenHolds(others.liveBeside ?? [], manner.circumstances));
  }

  /** This payment pays its order. Where the shop does not know that yet, it is told. */
  private takePlace(isNew: boolean): void {
    const { own, session, manner } = this;
    const { payment, before } = own;
    const wasDuplicate = before.duplicateOf !== null;
    payment.duplicateOf = null;
    if (wasDuplicate)
      manner.chronicle.enter('duplicate_ended', { detail: { was: before.duplicateOf ?? '' } });
    const isNews = isNew || wasDuplicate || (!holdsMoney(before) && session.status !== 'paid');
    if (!isNews) return;
    const late = isNew ? manner.late : undefined;
    const paid = announcePaying(manner.chronicle, session, manner.circumstances, late);
    this.session = paid.session;
    manner.chronicle.events.push(paid.event);
  }

  /** Another payment pays the order. One that holds no money is announced as none of its own. */
  private becomeDuplicate(payer: PaymentRecord, isNew: boolean, holds: boolean): void {
    const { own, manner } = this;
    const { payment, before } = own;
    if (payment.duplicateOf === payer.id) return;
    payment.duplicateOf = payer.id;
    if (!holds) return;
    manner.chronicle.enter('duplicate', { detail: { of: payer.id } });
    if (isNew || before.duplicateOf === null) {
      manner.chronicle.announce('payment.duplicate', { late: manner.late });
    }
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
