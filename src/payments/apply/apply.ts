import { moveSession } from '../../sessions/move-session.js';
import type { EventType } from '../../store/event-types.js';
import type {
  EventOperation,
  MovementRecord,
  OperationRecord,
  PaymentRecord,
  PaymentStatus,
  ReferenceRecord,
  SessionRecord,
} from '../../store/schema.js';
import type { Changes, PaidBeside } from '../../store/payment-writer.js';
import { reasonsOf, withAttention, withoutAttention } from '../state/attention.js';
import { scheduled, type StatusCheckRules } from '../schedule/status-check-schedule.js';
import {
  believedMoment,
  changesAmountAlone,
  noteDoubtfulVoid,
  pendingOperation,
  takeDispute,
  takeFacts,
} from './facts.js';
import { isIssuerDecline, isVindicated, trialOf } from './card-trial.js';
import { attentionOf, isAttentionOver } from './attention-rules.js';
import { Recorder, type Circumstances } from './recorder.js';
import { named, RefundEntries } from './refund-entries.js';
import { movementsOf } from './movements.js';
import { Places } from './places.js';
import { canOperationMove } from '../state/operation-state.js';
import { assertMove, isClosedUnpaid, isLive } from '../state/payment-state.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** The rows that an update is applied to. */
export interface PaymentSnapshot {
  reference: ReferenceRecord;
  session: SessionRecord;
  payment: PaymentRecord;
  openOperations: readonly OperationRecord[];
  /** The payment's refunds whose outcome is known, where they were read. */
  settledRefunds?: readonly OperationRecord[];
  /** The other payments that keep the reference paid, the one that pays first. */
  paidBeside: readonly PaidBeside[];
  /** The other live payments of the reference. */
  liveBeside?: readonly PaidBeside[];
}

/** What applying needs of the configuration, and the time. */
export interface ApplyContext {
  now: number;
  livemode: boolean;
  /** The number of the store's epoch. */
  epoch: number;
  /** Whether events are to be delivered. */
  deliver: boolean;
  maxDeclines: number;
  random: () => number;
  rules: StatusCheckRules;
  /** The lease that this write gives back, if it is still held. */
  lease?: { owner: string; fence: number };
}

/** The rows that an update changes, with the entries of the ledger that it makes. */
export type Applied = Changes & { payment: PaymentRecord; movements: MovementRecord[] };

/**
 * The only writer of a payment's status. Turns an update into rows: the payment, its operations, its session and
 * reference, the timeline and the events, all to be committed together. Pure but for ids and jitter.
 */
export function apply(rows: PaymentSnapshot, update: PaymentUpdate, context: ApplyContext): Applied {
  return new Application(rows, update, context).run();
}

class Application {
  private readonly rows: PaymentSnapshot;
  readonly before: PaymentRecord;
  readonly payment: PaymentRecord;
  private readonly at: number;
  private readonly circumstances: Circumstances;
  private session: SessionRecord;
  private reference: ReferenceRecord;
  private readonly written: OperationRecord[] = [];
  private readonly recorder: Recorder;
  /** Operations of unknown outcome that turned out to be refused: their caller was told to wait. */
  private readonly refused: OperationRecord[] = [];
  /** Refunds that were settled, or turned out otherwise. */
  private readonly refunds: RefundEntries;
  /** What follows a success, to be announced after it. */
  private readonly following: (() => void)[] = [];
  private beside: Changes['beside'];
  private operations: OperationRecord[];
  private late = false;
  private counted: Pick<Changes, 'declines' | 'forgiveDecline'> = {};

  constructor(
    rows: PaymentSnapshot,
    readonly update: PaymentUpdate,
    private readonly context: ApplyContext,
  ) {
    this.rows = rows;
    this.before = rows.payment;
    // Times never go backwards here, even if the clock was set back: rows are ordered by them.
    this.at = Math.max(context.now, rows.payment.updatedAt);
    this.payment = { ...rows.payment, version: rows.payment.version + 1, updatedAt: this.at };
    const { now, livemode, deliver, epoch } = context;
    this.circumstances = { at: this.at, now, livemode, deliver, epoch, actor: update.actor ?? null };
    this.recorder = new Recorder(this.payment, this.circumstances);
    this.refunds = new RefundEntries(this.payment, this.recorder);
    this.session = rows.session;
    this.reference = rows.reference;
    this.operations = [...rows.openOperations];
  }

  /**
   * The order counts. What became of operations and of the status is known before the sums, who pays the order by the sums, and what a
   * person must look at by all of that. Each event shows the payment as it is at its step, so the payment's own success is announced
   * before what followed it; only whether it needs attention is told in all of them at the end.
   */
  run(): Applied {
    takeFacts(this.payment, this.update);
    this.settleOperations();
    this.move();
    this.countWhatFollowed();
    this.settleWhoPays();
    this.announceRefusals();
    this.judgeAttention();
    this.announceCorrection();
    this.enterNote();
    this.planNextQuestion();
    this.giveLeaseBack();
    this.countDecline();
    return {
      payment: this.payment,
      movements: movementsOf({
        before: this.before,
        after: this.payment,
        refunds: this.refunds.moved,
        operations: this.written,
        update: this.update,
      }),
      ...(this.session !== this.rows.session && { session: this.session }),
      ...(this.reference !== this.rows.reference && { reference: this.reference }),
      ...(this.beside && { beside: this.beside }),
      operations: this.written,
      timeline: this.recorder.timeline,
      events: this.recorder.events,
      ...this.counted,
    };
  }

  private settleOperations(): void {
    const { rows } = this;
    for (const change of this.update.operations ?? []) {
      if (change.settled) {
        const turned = this.refunds.turn(change, rows.settledRefunds ?? []);
        if (turned) this.written.push(turned);
        continue;
      }
      const { id, status, accepted, formerCount, inSum } = change;
      const found = this.operations.find((operation) => operation.id === id);
      // It was settled meanwhile. A settled operation is never reopened.
      if (!found || (found.status !== status && !canOperationMove(found.status, status))) continue;
      const operation = {
        ...found,
        ...(formerCount !== undefined && { formerCount }),
        // Only one that time has ended keeps its count: that tells it from one that was refused in words.
        ...(status === 'refused' && formerCount === undefined && { formerCount: 0 }),
        ...(accepted && { acceptedAt: found.acceptedAt ?? this.at }),
        ...(inSum && { inSum }),
        status,
        updatedAt: this.at,
      };
      if (found.status === 'unknown' && status === 'refused') this.refused.push(operation);
      if (operation.type === 'refund' && status !== 'unknown') this.refunds.settle(operation);
      this.written.push(operation);
      this.operations = this.operations.map((other) => (other.id === id ? operation : other));
      if (found.status !== status) {
        this.enter(`operation_${status}`, { detail: { operation: operation.type, id: operation.id } });
      }
    }
    this.payment.pendingOperation = pendingOperation(this.operations, this.payment.currency);
    noteDoubtfulVoid(this.payment, this.update, this.refused);
  }

  private move(): void {
    const { move, nextAction } = this.update;
    if (nextAction) {
      this.payment.nextAction = nextAction;
      if (this.payment.status !== 'requires_action') this.setStatus('requires_action', 'gateway');
      else this.announce('payment.requires_action');
      return;
    }
    if (!move) return;
    const { payment } = this;
    payment.nextAction = null;
    payment.failure = move.failure ?? null;
    if (move.authorized !== undefined) payment.amountAuthorized = move.authorized;
    if (move.captured !== undefined) payment.amountCaptured = move.captured;
    this.setStatus(move.to, move.by);
  }

  /**
   * What follows a success. It is announced after the success itself, where one answer says both. Of a payment that is not
   * paid nothing was given back, as far as is known: a shop that takes refunds off its income must not hear of one.
   */
  private countWhatFollowed(): void {
    const { payment, update } = this;
    for (const announce of this.refunds.take(update.refunded)) {
      this.follow(() => {
        announce(this.late);
      });
    }
    const said = takeDispute(payment, update);
    if (!said) return;
    this.follow(() => {
      this.enter(said.entry, { detail: said.detail });
      this.announce(`payment.${said.entry}`);
    });
  }

  /** Says something after the payment's own success, where the same answer says both. */
  private follow(announce: () => void): void {
    this.following.push(announce);
  }

  private setStatus(to: PaymentStatus, by: Parameters<typeof assertMove>[2]): void {
    const { payment, before } = this;
    assertMove(before.status, to, by);
    this.late = isClosedUnpaid(before.status) || this.update.move?.late === true;
    payment.status = to;
    payment.waiting = this.update.waiting ?? false;
    payment.closedAt = isLive(to) ? null : this.at;
    payment.heldSince = to === 'authorized' ? this.at : null;
    if (to === 'succeeded') payment.paidAt ??= believedMoment(this.update.move?.paidAt, payment) ?? this.at;
    const others = this.reference.livePaymentIds.filter((id) => id !== payment.id);
    this.reference = { ...this.reference, livePaymentIds: isLive(to) ? [...others, payment.id] : others };
    this.enter('status_changed', { from: before.status, to, late: this.late });
    // A success is announced by who pays, once it is known what the payment holds.
    if (to !== 'processing' && to !== 'succeeded') this.announce(`payment.${to}`);
  }

  /** Who pays the order after this write, and what is announced of it. */
  private settleWhoPays(): void {
    const { before, payment, session, reference, operations, rows, recorder, circumstances, late } = this;
    const places = new Places({ before, payment, session, reference, openOperations: operations }, rows, {
      recorder,
      circumstances,
      late,
      voidDuplicates: this.context.rules.voidDuplicates,
    });
    places.settle(() => {
      for (const announce of this.following.splice(0)) announce();
    });
    this.session = places.session;
    this.reference = places.reference;
    this.beside = places.beside;
  }

  /** A completion or a void that was not done. A payment that moved meanwhile is announced by its move. */
  private announceRefusals(): void {
    if (this.payment.status !== this.before.status) return;
    for (const operation of this.refused) {
      if (operation.type !== 'complete' && operation.type !== 'void') continue;
      this.announce('payment.operation_refused', named(operation, this.payment.currency));
    }
  }

  /**
   * Whether a void was given up because answers went on denying it, while another payment of the order holds money: if it was done
   * after all, and that one is voided too, both are reversed.
   */
  private isVoidDenied(): boolean {
    const { payment, refused, reference } = this;
    return (
      payment.status === 'succeeded' &&
      reference.paidPaymentIds.some((id) => id !== payment.id) &&
      refused.some(({ type }) => type === 'void')
    );
  }

  private moveSession(to: 'paid' | 'closed', closedReason: SessionRecord['closedReason']): void {
    const moved = moveSession(this.session, { ...this.circumstances, to, closedReason, late: this.late });
    if (!moved) return;
    this.session = moved.session;
    this.recorder.events.push(moved.event);
  }

  /**
   * Only declines of the issuer count for the session. Card testing also counts abandoned challenges and rejected
   * cards.
   */
  private countDecline(): void {
    const { session } = this;
    if (isIssuerDecline(this)) {
      this.session = { ...session, declines: session.declines + 1, updatedAt: this.at };
      const { maxDeclines } = this.context;
      if (maxDeclines > 0 && this.session.declines >= maxDeclines) this.moveSession('closed', 'declines');
    }
    const trial = this.update.move?.uncounted ? undefined : trialOf(this);
    this.counted = {
      ...(trial && { declines: [trial] }),
      ...(isVindicated(this) && { forgiveDecline: this.payment.id }),
    };
  }

  private judgeAttention(): void {
    const { before, payment, update, late, at, context } = this;
    const { voidDuplicates } = context.rules;
    const deed = { before, late, at, voidDuplicates, voidDenied: this.isVoidDenied() };
    const found = attentionOf(payment, update, deed);
    const left = withoutAttention(payment.attentionReason, (one) => isAttentionOver(one, payment, update));
    payment.attentionReason = found.reduce(withAttention, left);
    payment.needsAttention = payment.attentionReason !== null;
    const known = reasonsOf(before);
    const news = reasonsOf(payment).filter((reason) => !known.includes(reason));
    for (const reason of news) this.enter('needs_attention', { detail: { reason } });
    if (news.length > 0) this.announce('payment.needs_attention');
    if (before.needsAttention && !payment.needsAttention) this.enter('attention_lifted', {});
    if (payment.attentionReason !== before.attentionReason) this.recorder.tellAttention();
  }

  private announceCorrection(): void {
    if (changesAmountAlone(this)) this.announce('payment.resolved');
  }

  private enterNote(): void {
    const { timelineNote } = this.update;
    const key = timelineNote ? JSON.stringify(timelineNote) : null;
    if (timelineNote && key !== this.payment.lastTimelineNote)
      this.enter(timelineNote.type, { detail: timelineNote.detail });
    // The same answer, repeated, is entered once. After a different answer it is entered again.
    if (timelineNote || this.update.conclusive) this.payment.lastTimelineNote = key;
  }

  private planNextQuestion(): void {
    const { payment, before, update, operations, session, context } = this;
    const changed =
      payment.status !== before.status || payment.pendingOperation?.since !== before.pendingOperation?.since;
    const news = { ...update, changed };
    const rows = { payment, operations, session };
    // By the store's time, not by the row's own, which may lie ahead: nothing waits for it.
    Object.assign(payment, scheduled(rows, news, context));
    // Whoever holds the lease may be about to send something. If that process dies, the payment is asked about when it had planned it.
    const { nextStatusCheckAt, statusCheckWorth } = before;
    if (!this.isHeldByAnother() || nextStatusCheckAt === null) return;
    if (payment.nextStatusCheckAt !== null && payment.nextStatusCheckAt <= nextStatusCheckAt) return;
    Object.assign(payment, { nextStatusCheckAt, statusCheckWorth });
  }

  private isHeldByAnother(): boolean {
    const { before, context } = this;
    const { leaseOwner, leaseFence } = before;
    return leaseOwner !== null && (leaseOwner !== context.lease?.owner || leaseFence !== context.lease.fence);
  }

  private giveLeaseBack(): void {
    if (!this.context.lease || this.isHeldByAnother()) return;
    this.payment.leaseOwner = null;
    this.payment.leaseUntil = 0;
  }

  private enter(...entry: Parameters<Recorder['enter']>): void {
    this.recorder.enter(...entry);
  }

  private announce(type: EventType, operation?: EventOperation): void {
    this.recorder.announce(type, { late: this.late, operation });
  }
}
