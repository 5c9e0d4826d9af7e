import { makeEvent } from '../../merchant-webhooks/event.js';
import { formatMajor } from '../../money/money.js';
import { moveSession } from '../../sessions/move-session.js';
import { newId } from '../../store/ids.js';
import type {
  EventRecord,
  EventType,
  OperationRecord,
  PaymentRecord,
  PaymentStatus,
  ReferenceRecord,
  SessionRecord,
  TimelineRecord,
  TimelineType,
} from '../../store/schema.js';
import type { Changes } from '../../store/payment-writer.js';
import { writeAttention } from '../state/attention.js';
import {
  ATTENTION_AFTER,
  isOpen,
  nextStatusCheckAt,
  type StatusCheckRules,
} from '../schedule/status-check-schedule.js';
import { isIssuerDecline, isVindicated, trialOf } from './card-trial.js';
import { canOperationMove } from '../state/operation-state.js';
import { assertMove, isClosedUnpaid, isLive } from '../state/payment-state.js';
import { viewPayment } from '../views/payment-view.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** The rows that an update is applied to. */
export interface PaymentSnapshot {
  reference: ReferenceRecord;
  session: SessionRecord;
  payment: PaymentRecord;
  openOperations: readonly OperationRecord[];
}

/** What applying needs of the configuration, and the time. */
export interface ApplyContext {
  now: number;
  livemode: boolean;
  /** Whether events are to be delivered. */
  deliver: boolean;
  maxDeclines: number;
  random: () => number;
  rules: StatusCheckRules;
  /** The lease that this write gives back, if it is still held. */
  lease?: { owner: string; fence: number };
}

/**
 * The only writer of a payment's status. Turns an update into rows: the payment, its operations, its session and
 * reference, the timeline and the events, all to be committed together. Pure but for ids and jitter.
 */
export function apply(
  rows: PaymentSnapshot,
  update: PaymentUpdate,
  context: ApplyContext,
): Changes & { payment: PaymentRecord } {
  return new Application(rows, update, context).run();
}

class Application {
  private readonly rows: PaymentSnapshot;
  readonly before: PaymentRecord;
  readonly payment: PaymentRecord;
  private readonly at: number;
  private session: SessionRecord;
  private reference: ReferenceRecord;
  private readonly written: OperationRecord[] = [];
  private readonly timeline: TimelineRecord[] = [];
  private readonly events: EventRecord[] = [];
  private operations: OperationRecord[];
  private late = false;

  constructor(
    rows: PaymentSnapshot,
    private readonly update: PaymentUpdate,
    private readonly context: ApplyContext,
  ) {
    this.rows = rows;
    this.before = rows.payment;
    // Times never go backwards here, even if the clock was set back: rows are ordered by them.
    this.at = Math.max(context.now, rows.payment.updatedAt);
    this.payment = { ...rows.payment, version: rows.payment.version + 1, updatedAt: this.at };
    this.session = rows.session;
    this.reference = rows.reference;
    this.operations = [...rows.openOperations];
  }

  run(): Changes & { payment: PaymentRecord } {
    this.takeFacts();
    this.settleOperations();
    this.move();
    this.raiseOrLiftAttention();
    this.enterTimelineNote();
    this.schedule();
    this.releaseLease();
    const counted = this.countDecline();
    return {
      payment: this.payment,
      ...(this.session !== this.rows.session && { session: this.session }),
      ...(this.reference !== this.rows.reference && { reference: this.reference }),
      operations: this.written,
      timeline: this.timeline,
      events: this.events,
      ...counted,
    };
  }

  private takeFacts(): void {
    const { update, payment } = this;
    if (update.transactionRef !== undefined) payment.transactionRef = update.transactionRef;
    if (update.gatewayExpiresAt !== undefined) payment.gatewayExpiresAt = update.gatewayExpiresAt;
    if (update.answered) payment.answered = true;
    if (update.waiting) payment.waiting = true;
    if (update.notKnown) payment.notKnownCount += 1;
    if (update.captured !== undefined) payment.amountCaptured = update.captured;
  }

  private settleOperations(): void {
    for (const { id, status, ...counted } of this.update.operations ?? []) {
      const found = this.operations.find((operation) => operation.id === id);
      // It was settled meanwhile. A settled operation is never reopened.
      if (!found || (found.status !== status && !canOperationMove(found.status, status))) continue;
      const operation = {
        ...found,
        ...counted,
        status,
        updatedAt: this.at,
      };
      this.written.push(operation);
      this.operations = this.operations.map((other) => (other.id === id ? operation : other));
      if (found.status !== status) {
        this.enter(`operation_${status}`, { detail: { operation: operation.type, id: operation.id } });
      }
    }
    const pending = this.operations.find((operation) => operation.status === 'unknown');
    this.payment.pendingOperation = pending
      ? {
          type: pending.type,
          ...(pending.amount !== null && { amount: formatMajor(pending.amount, this.payment.currency) }),
          since: new Date(pending.createdAt).toISOString(),
        }
      : null;
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

  private setStatus(to: PaymentStatus, by: Parameters<typeof assertMove>[2]): void {
    const { payment, before } = this;
    assertMove(before.status, to, by);
    this.late = isClosedUnpaid(before.status);
    payment.status = to;
    payment.waiting = this.update.waiting ?? false;
    payment.closedAt = isLive(to) ? null : this.at;
    this.moveReference(to);
    this.enter('status_changed', { from: before.status, to, late: this.late });
    if (to === 'succeeded' && this.reference.paidPaymentIds[0] !== payment.id) {
      payment.duplicateOf = this.reference.paidPaymentIds[0] ?? null;
      this.enter('duplicate', { detail: { of: payment.duplicateOf ?? '' } });
      this.announce('payment.duplicate');
      return;
    }
    if (to !== 'processing') this.announce(`payment.${to}`);
    if (to === 'succeeded') this.moveSession('paid', null);
    if (to === 'voided' && before.status === 'succeeded' && payment.duplicateOf === null) {
      this.moveSession('closed', 'voided');
    }
  }

  private moveReference(to: PaymentStatus): void {
    const { reference, payment } = this;
    const without = (ids: string[]): string[] => ids.filter((id) => id !== payment.id);
    this.reference = {
      ...reference,
      livePaymentIds: isLive(to)
        ? [...without(reference.livePaymentIds), payment.id]
        : without(reference.livePaymentIds),
      paidPaymentIds:
        to === 'succeeded'
          ? [...without(reference.paidPaymentIds), payment.id]
          : without(reference.paidPaymentIds),
    };
  }

  private moveSession(to: 'paid' | 'closed', closedReason: SessionRecord['closedReason']): void {
    const { livemode, deliver } = this.context;
    const moved = moveSession(this.session, {
      to,
      closedReason,
      at: this.at,
      now: this.context.now,
      livemode,
      deliver,
      late: this.late,
    });
    if (!moved) return;
    this.session = moved.session;
    this.events.push(moved.event);
  }

  /**
   * Only declines of the issuer count for the session. Card testing also counts abandoned challenges and rejected
   * cards.
   */
  private countDecline(): Pick<Changes, 'declines' | 'forgiveDecline'> {
    const { session } = this;
    if (isIssuerDecline(this)) {
      this.session = { ...session, declines: session.declines + 1, updatedAt: this.at };
      if (this.session.declines >= this.context.maxDeclines) this.moveSession('closed', 'declines');
    }
    const trial = trialOf(this);
    return {
      ...(trial && { declines: [trial] }),
      ...(isVindicated(this) && { forgiveDecline: this.payment.id }),
    };
  }

  private raiseOrLiftAttention(): void {
    const { payment, update } = this;
    const overdue =
      !update.conclusive && payment.openSince !== null && this.at - payment.openSince >= ATTENTION_AFTER;
    const attention: PaymentUpdate['attention'] =
      update.attention ?? (overdue ? { reason: 'no_conclusive_answer' } : undefined);
    // The last disputed answer is the one that a person will see and settle.
    if (update.attention && payment.needsAttention) {
      payment.attentionReason = writeAttention(update.attention);
    }
    if (attention && !payment.needsAttention) {
      payment.needsAttention = true;
      payment.attentionReason = writeAttention(attention);
      this.enter('needs_attention', { detail: { reason: attention.reason } });
      this.announce('payment.needs_attention');
      return;
    }
    const timeRanOut = payment.attentionReason === 'no_conclusive_answer';
    if (payment.needsAttention && !attention && (update.liftAttention || (update.conclusive && timeRanOut))) {
      payment.needsAttention = false;
      payment.attentionReason = null;
      this.enter('attention_lifted', {});
    }
  }

  private enterTimelineNote(): void {
    const { timelineNote } = this.update;
    const key = timelineNote ? JSON.stringify(timelineNote) : null;
    if (timelineNote && key !== this.payment.lastTimelineNote)
      this.enter(timelineNote.type, { detail: timelineNote.detail });
    // The same answer, repeated, is entered once. After a different answer it is entered again.
    if (timelineNote || this.update.conclusive) this.payment.lastTimelineNote = key;
  }

  private schedule(): void {
    const { payment, update, operations, context } = this;
    const changed =
      payment.status !== this.before.status ||
      payment.pendingOperation?.since !== this.before.pendingOperation?.since;
    // A status check that somebody asked for does not lengthen the schedule's next pause.
    if (changed || update.checkNow) payment.statusCheckCount = 0;
    else if (update.scheduled) payment.statusCheckCount += 1;
    if (!isOpen(payment, operations)) payment.openSince = null;
    else if (update.conclusive || payment.openSince === null) payment.openSince = this.at;
    payment.nextStatusCheckAt = nextStatusCheckAt(
      payment,
      operations,
      this.session,
      // Not the row's own time, which may lie ahead: nothing waits for it.
      context.now,
      context.random,
      context.rules,
    );
    if (update.checkNow) payment.nextStatusCheckAt = context.now;
    if (update.move?.by === 'person') payment.nextStatusCheckAt = null;
  }

  private releaseLease(): void {
    const { lease } = this.context;
    if (lease && this.payment.leaseOwner === lease.owner && this.payment.leaseFence === lease.fence) {
      this.payment.leaseOwner = null;
      this.payment.leaseUntil = 0;
    }
  }

  private enter(
    type: TimelineType,
    entry: { from?: PaymentStatus; to?: PaymentStatus; late?: boolean; detail?: Record<string, string> },
  ): void {
    this.payment.timelineSequence += 1;
    this.timeline.push({
      paymentId: this.payment.id,
      sequence: this.payment.timelineSequence,
      id: newId('tle'),
      type,
      at: this.at,
      fromStatus: entry.from ?? null,
      toStatus: entry.to ?? null,
      late: entry.late ?? false,
      actor: this.update.actor ?? null,
      detail: entry.detail ?? null,
    });
  }

  private announce(type: EventType): void {
    this.payment.eventSequence += 1;
    this.events.push(
      makeEvent({
        type,
        aggregateId: this.payment.id,
        sequence: this.payment.eventSequence,
        reference: this.payment.reference,
        data: viewPayment(this.payment, this.context.livemode),
        livemode: this.context.livemode,
        at: this.at,
        now: this.context.now,
        late: this.late,
        deliver: this.context.deliver,
      }),
    );
  }
}
