import type { GatewayResult } from '../../src/gateway/gateway-result.js';
import { Problem } from '../../src/http/problems/problem.js';
import { apply } from '../../src/payments/apply/apply.js';
import { newPayment } from '../../src/payments/operations/new-payment.js';
import { canceled, endsByCancel, isCancelable } from '../../src/payments/interpret/interpret-cancellation.js';
import { mean } from '../../src/payments/interpret/meaning.js';
import { interpretResolution, type Resolution } from '../../src/payments/interpret/interpret-resolution.js';
import { interpretStatus } from '../../src/payments/interpret/interpret-status.js';
import { readStatus, type StatusInquiry } from '../../src/payments/interpret/status-answer.js';
import { settledAnswer } from '../../src/payments/state/attention.js';
import { orphaned } from '../../src/payments/state/operation-state.js';
import { withSeenTime } from '../../src/payments/state/seen-time.js';
import type { PaymentUpdate } from '../../src/payments/state/payment-update.js';
import { moveSession } from '../../src/sessions/move-session.js';
import { assertPayable, assertReferenceFree, isOverdue } from '../../src/sessions/session-guards.js';
import type {
  EventRecord,
  MovementRecord,
  OperationRecord,
  OperationType,
  PaymentMethod,
  PaymentRecord,
  ReferenceRecord,
  SessionRecord,
  TimelineRecord,
} from '../../src/store/schema.js';
import type { Changes, PaidBeside } from '../../src/store/payment-writer.js';
import { madeAt, MINUTE, operationRecord, sessionRecord } from './records.js';

/**
 * What moved a payment, for checks of the move: the gateway's answer to an operation or to a status check, or something
 * else.
 */
export type Cause =
  | { by: 'answer'; to: 'call' | 'question'; result: GatewayResult }
  | { by: 'clock' | 'cancel'; result: GatewayResult }
  | { by: 'person' | 'crash' };

export interface Step {
  before: PaymentRecord;
  after: PaymentRecord;
  cause: Cause;
  open: readonly OperationRecord[];
}

export const GRACE_MS = 60_000;

/**
 * One order in memory. It combines the pure parts of the service as its transactions do, without a clock, a store or a
 * gateway.
 */
export class PaymentWorld {
  now = madeAt;
  /** The latest session, which new payments are made for. */
  session: SessionRecord = sessionRecord();
  /** Every session of the reference. */
  readonly sessions = new Map([[this.session.id, this.session]]);
  reference: ReferenceRecord = {
    reference: this.session.reference,
    attempts: 0,
    livePaymentIds: [],
    paidPaymentIds: [],
    sessionId: this.session.id,
    names: [],
    heldSince: null,
    namesDueAt: null,
  };
  readonly payments = new Map<string, PaymentRecord>();
  readonly operations = new Map<string, OperationRecord>();
  readonly timeline: TimelineRecord[] = [];
  readonly events: EventRecord[] = [];
  readonly steps: Step[] = [];
  /** How money moved, by payment. */
  readonly movements = new Map<string, MovementRecord[]>();

  constructor(private readonly maxDeclines = 3) {}

  /** Starts a payment if the guards allow it. Its operation is then intended. */
  begin(method: PaymentMethod): PaymentRecord | undefined {
    try {
      assertPayable(this.session, this.reference, this.now);
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
    const start = {
      method,
      addressFingerprint: 'address',
      card: { brand: null, last4: '0000', networkFingerprint: null, fingerprint: 'card' },
    };
    const changes = newPayment(this.session, this.reference, start, 'own_1', this.now);
    this.write(changes);
    return changes.payment;
  }

  /** Begins an operation if the payment's state allows it. */
  intend(paymentId: string, type: Exclude<OperationType, 'pay'>, amount: bigint | null): void {
    const payment = this.payment(paymentId);
    const allowed =
      type === 'otp'
        ? payment.status === 'requires_action' && payment.nextAction?.type === 'otp'
        : payment.status === 'authorized' || (type === 'void' && payment.status === 'succeeded');
    if (!allowed || this.openOf(paymentId).some((operation) => operation.type !== 'pay')) return;
    const operation = operationRecord({
      id: `op_${this.operations.size}`,
      paymentId,
      type,
      status: 'intended',
      amount: type === 'complete' ? (amount ?? payment.amountAuthorized) : null,
      createdAt: this.now,
      seenFromMs: payment.seenMs,
    });
    this.operations.set(operation.id, operation);
  }

  /** The gateway answers the current operation, or a late one whose owner was thought to be gone. */
  answer(paymentId: string, result: GatewayResult): void {
    const payment = this.payment(paymentId);
    const [operation] = this.openOf(paymentId);
    if (!operation) return;
    const call = { payment, reference: this.reference, operation, mode: 'live' as const };
    this.apply(paymentId, mean(result, call), { by: 'answer', to: 'call', result });
  }

  /** The owner of the current operation is gone. */
  crash(paymentId: string): void {
    const orphans = this.openOf(paymentId).filter(({ status }) => status === 'intended');
    if (orphans.length > 0)
      this.apply(paymentId, orphaned(this.payment(paymentId), orphans), { by: 'crash' });
  }

  /** The gateway is asked under the lease, so the earlier operation has ended. */
  ask(paymentId: string, result: GatewayResult): void {
    this.crash(paymentId);
    this.seeTimePass(paymentId);
    const update = interpretStatus(result, this.inquiry(paymentId));
    const byClock = update.move?.by === 'clock';
    this.apply(
      paymentId,
      update,
      byClock ? { by: 'clock', result } : { by: 'answer', to: 'question', result },
    );
  }

  cancel(paymentId: string, result: GatewayResult): void {
    if (!isCancelable(this.payment(paymentId))) return;
    this.crash(paymentId);
    const inquiry = this.inquiry(paymentId);
    if (endsByCancel(readStatus(result, inquiry), inquiry.payment, result)) {
      this.apply(paymentId, canceled(inquiry, 'payer'), { by: 'cancel', result });
    } else {
      this.ask(paymentId, result);
    }
  }

  resolve(paymentId: string, resolution: Resolution): void {
    const payment = this.payment(paymentId);
    const openOperations = this.openOf(paymentId);
    let update: PaymentUpdate;
    try {
      update = interpretResolution(resolution, { payment, openOperations, ownerGone: false });
    } catch (error) {
      if (error instanceof Problem) return;
      throw error;
    }
    this.apply(paymentId, update, { by: 'person' });
    const after = this.payment(paymentId);
    this.payments.set(paymentId, { ...after, settledAnswer: settledAnswer(payment, after) });
  }

  endSession(): void {
    for (const session of this.sessions.values()) {
      if (!isOverdue(session, this.reference, this.now)) continue;
      this.moveSession(session, 'expired');
    }
  }

  /** The merchant closes the latest session, unless a payment is live. */
  closeSession(): void {
    if (this.session.status !== 'open' || this.reference.livePaymentIds.length > 0) return;
    this.moveSession(this.session, 'closed');
  }

  /** The merchant makes a further session of the reference, if the guards allow it. */
  newSession(): void {
    try {
      assertReferenceFree(this.session, this.reference, this.now);
    } catch (error) {
      if (error instanceof Problem) return;
      throw error;
    }
    const session = sessionRecord({
      id: `cs_${this.sessions.size + 1}`,
      createdAt: this.now,
      updatedAt: this.now,
      expiresAt: this.now + 30 * MINUTE,
    });
    this.session = session;
    this.write({ session, reference: { ...this.reference, sessionId: session.id } });
  }

  private moveSession(session: SessionRecord, to: 'expired' | 'closed'): void {
    const moved = moveSession(session, { to, at: this.now, livemode: false, epoch: 0, deliver: true });
    if (moved) this.write({ session: moved.session, events: [moved.event] });
  }

  openOf(paymentId: string): OperationRecord[] {
    return [...this.operations.values()].filter(
      ({ paymentId: of, status }) => of === paymentId && (status === 'intended' || status === 'unknown'),
    );
  }

  payment(id: string): PaymentRecord {
    const payment = this.payments.get(id);
    if (!payment) throw new Error(`no payment ${id}`);
    return payment;
  }

  /** The service was running all the time. */
  private seeTimePass(paymentId: string): void {
    const payment = this.payment(paymentId);
    const { answeredAt, seenMs } = payment;
    const before =
      answeredAt === null ? undefined : { at: answeredAt, seenMs, pending: payment.pendingOperation };
    const heard = { at: this.now, before };
    this.payments.set(paymentId, withSeenTime(payment, heard, this.now));
  }

  private inquiry(paymentId: string): StatusInquiry {
    return {
      payment: this.payment(paymentId),
      reference: this.reference,
      session: this.sessionOf(this.payment(paymentId)),
      openOperations: this.openOf(paymentId).filter(({ status }) => status === 'unknown'),
      mode: 'live',
      now: this.now,
      graceMs: GRACE_MS,
      asksRefunds: false,
    };
  }

  private apply(paymentId: string, update: PaymentUpdate, cause: Cause): void {
    const before = this.payment(paymentId);
    const open = this.openOf(paymentId);
    const subject = {
      payment: before,
      session: this.sessionOf(before),
      reference: this.reference,
      openOperations: open,
      paidBeside: this.paidBeside(paymentId),
    };
    const changes = apply(subject, update, {
      now: this.now,
      livemode: false,
      epoch: 0,
      deliver: true,
      maxDeclines: this.maxDeclines,
      random: () => 0.5,
      rules: { voidDuplicates: false, graceMs: GRACE_MS },
    });
    this.write(changes);
    this.movements.set(paymentId, [...(this.movements.get(paymentId) ?? []), ...changes.movements]);
    this.steps.push({ before, after: changes.payment, cause, open });
  }

  private sessionOf({ sessionId }: PaymentRecord): SessionRecord {
    const session = this.sessions.get(sessionId);
    if (!session) throw new Error(`no session ${sessionId}`);
    return session;
  }

  paidBeside(paymentId: string): PaidBeside[] {
    const others = this.reference.paidPaymentIds.filter((id) => id !== paymentId);
    return others.map((id) => {
      const payment = this.payment(id);
      return { payment, session: this.sessionOf(payment), openOperations: this.openOf(id) };
    });
  }

  private write({
    payment,
    session,
    beside,
    reference,
    operations = [],
    timeline = [],
    events = [],
  }: Changes): void {
    for (const one of [payment, beside?.payments].flat()) if (one) this.payments.set(one.id, one);
    for (const one of [session, beside?.session]) {
      if (!one) continue;
      this.sessions.set(one.id, one);
      if (one.id === this.session.id) this.session = one;
    }
    if (reference) this.reference = reference;
    for (const operation of operations) this.operations.set(operation.id, operation);
    this.timeline.push(...timeline);
    this.events.push(...events);
  }
}
