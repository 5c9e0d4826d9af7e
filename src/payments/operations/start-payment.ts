import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import type { SendGate } from '../../gateway/gateway.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { Profile } from '../../gateway/profile/format.js';
import { clientRefOf, fitsGateway } from '../../gateway/requests/client-ref.js';
import { Problem } from '../../http/problems/problem.js';
import { isReplay, keepKey, type KeyedRequest } from '../../idempotency/idempotency.js';
import { moveSession } from '../../sessions/move-session.js';
import { assertPayable, assertTokenReads } from '../../sessions/session-guards.js';
import { SessionReferences } from '../../sessions/session-references.js';
import type { OperationRecord, PaymentRecord, ReferenceRecord, SessionRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { StoreUnavailable } from '../../store/store-unavailable.js';
import type { Decide, Decision, DeclineCounts, Wanted } from '../../store/payment-writer.js';
import { Applier } from '../apply/applier.js';
import { newPayment, type PaymentStart } from './new-payment.js';
import { DurableWriter } from './durable-writer.js';
import { interpretInitiation } from '../interpret/interpret-initiation.js';
import { interpretLate } from '../interpret/late-answer.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { AnswerNotes } from '../state/answer-notes.js';
import { PreparedCall } from './prepared-call.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import { sendGate, thisMoment } from './send-gate.js';
import type { Heard } from '../state/seen-time.js';
import type { Sent } from '../interpret/sent.js';
import type { StartRequest } from './start-request.js';
import { paymentSnapshot, withEndedCall } from '../apply/payment-snapshot.js';
import { NEVER_SENT, UnsentIntents } from './unsent-intents.js';
import type { Outcome } from './outcome.js';

/** A payment that is ready to start: what is recorded of it and how it is sent. */
export interface Initiation extends PaymentStart {
  /** Sends it to the gateway. Called once, after the intent was committed. */
  send: (payment: PaymentRecord, gate: SendGate) => Promise<GatewayResult>;
  /** Everything that the payer sent. It is removed from the gateway's answer before that is kept. */
  sent: Sent;
}

/** Checks whether the session allows the payment, and how often its payer was declined if that was asked for. Throws to refuse. */
export type Prepare = (session: SessionRecord, declines?: DeclineCounts) => Initiation;

/** A payment and its operation, as the store has them if the commit succeeded. */
interface Intent {
  payment: PaymentRecord;
  row: OperationRecord;
}

/** How many payments a session had when its reference had so many. */
interface Counted {
  attempts: number;
  payments: number;
}

type Begun =
  | { kind: 'replay'; paymentId: string }
  /** How many payments the session has must be known first. */
  | { kind: 'uncounted'; attempts: number }
  /** The session had as many payments as it may have: it is closed now. */
  | { kind: 'spent' }
  | (Intent & { kind: 'begun'; session: SessionRecord; initiation: Initiation });

/**
 * Starts payments: commits the intent, sends it once and applies the gateway's answer. No other place makes a call that
 * starts a payment.
 */
@Injectable()
export class StartPayment {
  constructor(
    private readonly store: Store,
    private readonly references: SessionReferences,
    private readonly repository: PaymentsRepository,
    private readonly keeper: LeaseKeeper,
    private readonly applier: Applier,
    private readonly notes: AnswerNotes,
    private readonly writer: DurableWriter,
    private readonly unsent: UnsentIntents,
    private readonly prepared: PreparedCall,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Starts a payment of a session. `content` is what the idempotency key is compared by. If `prepare` throws, nothing is
   * recorded and the idempotency key stays unused.
   */
  async start(
    { sessionId, idempotencyKey, path, intended, declines }: StartRequest & Pick<Wanted, 'declines'>,
    content: object,
    prepare: Prepare,
  ): Promise<Outcome> {
    const request = { scope: `session:${sessionId}`, key: idempotencyKey, path, content };
    const reference = await this.references.of(sessionId);
    if (reference === undefined) throw new Problem('unauthorized', 'This client token has expired.');
    const intendedAt = thisMoment();
    const wanted = { reference, sessionId, ...(declines && { declines }) };
    let begun = await this.begin(wanted, request, prepare);
    while (begun.kind === 'uncounted') {
      const { maxPaymentsPerSession: most } = this.config.payments;
      const payments = await this.repository.countOfSession({ id: sessionId, reference }, most);
      begun = await this.begin(wanted, request, prepare, { attempts: begun.attempts, payments });
    }
    intended();
    if (begun.kind === 'spent') {
      throw new Problem(
        'session-closed',
        'This session has had as many payments as it may have. It is closed.',
      );
    }
    if (begun.kind === 'replay') {
      return { payment: await this.findPayment(begun.paymentId), replayed: true };
    }
    const { payment, session, initiation } = begun;
    this.notes.keep(payment, { at: performance.now() });
    const lease = { reference, paymentId: payment.id, fence: payment.leaseFence };
    return this.keeper.keep(lease, async () => {
      const result = await initiation.send(
        payment,
        sendGate(intendedAt, (kept) => this.prepared.commit(payment, kept, initiation.sent)),
      );
      return this.recordResult(begun, this.applier.clean(result, session, initiation.sent));
    });
  }

  private async begin(
    { sessionId, ...rest }: Wanted & { sessionId: string },
    request: KeyedRequest,
    prepare: Prepare,
    counted?: Counted,
  ): Promise<Begun> {
    const secretKeys = this.config.keys.secretKeys.current();
    const wanted = { ...rest, sessionId, idempotency: { scope: request.scope, key: request.key } };
    let intent: Intent | undefined;
    const decide: Decide<Begun> = (snapshot) => {
      intent = undefined;
      const now = this.store.clock.now();
      const { session } = snapshot;
      assertTokenReads(session, now);
      if (isReplay(snapshot.idempotency, snapshot.keyedOperation, request, secretKeys, now)) {
        return { changes: {}, result: { kind: 'replay', paymentId: snapshot.idempotency?.paymentId ?? '' } };
      }
      assertPayable(session, snapshot.reference, now);
      const spent = this.spent(session, snapshot.reference, counted, now);
      if (spent) return spent;
      const initiation = prepare(session, snapshot.declines);
      this.assertReferenceFits(snapshot.reference);
      const { operation, ...changes } = newPayment(
        session,
        snapshot.reference,
        initiation,
        this.store.owner,
        now,
        this.profile.reference,
      );
      const made = {
        sessionId,
        paymentId: changes.payment.id,
        operationId: operation.id,
        sessionExpiresAt: session.expiresAt,
      };
      intent = { payment: changes.payment, row: operation };
      return {
        changes: { ...changes, idempotency: keepKey(request, secretKeys, made, now) },
        result: { kind: 'begun', ...intent, session, initiation },
      };
    };
    try {
      return await this.store.writer.write<Begun>(wanted, decide);
    } catch (error) {
      if (error instanceof StoreUnavailable) this.abandon(intent);
      throw error;
    }
  }

  /**
   * What is done in place of a payment where the session has had as many as it may have. A session has at most as many as its
   * reference, so they are counted only once that has so many.
   */
  private spent(
    session: SessionRecord,
    { attempts }: ReferenceRecord,
    counted: Counted | undefined,
    now: number,
  ): Decision<Begun> | undefined {
    const { maxPaymentsPerSession: most } = this.config.payments;
    if (most === 0 || attempts < most) return undefined;
    if (counted?.attempts !== attempts) return { changes: {}, result: { kind: 'uncounted', attempts } };
    if (counted.payments < most) return undefined;
    const moved = moveSession(session, {
      to: 'closed',
      closedReason: 'attempts',
      at: now,
      livemode: this.config.gateway.mode === 'live',
      epoch: this.store.epoch.number,
      deliver: this.config.merchant.webhookUrl !== undefined,
    });
    const changes = moved ? { session: moved.session, events: [moved.event] } : {};
    return { changes, result: { kind: 'spent' } };
  }

  /** A reference that fitted when its session was made no longer does once its payments need one more digit. */
  private assertReferenceFits({ reference, attempts }: ReferenceRecord): void {
    const form = this.profile.reference;
    if (fitsGateway(clientRefOf(reference, attempts + 1, form), form)) return;
    throw new Problem(
      'invalid-state',
      'No further payment is possible: its reference would be too long for the gateway.',
    );
  }

  /** Closes an intent whose commit may have failed: if the store has it, it was never sent and never will be. */
  private abandon(intent: Intent | undefined): void {
    if (!intent) return;
    const { id: paymentId, reference, leaseFence: fence } = intent.payment;
    const decide = this.decideOn(intent, NEVER_SENT, this.notes.hear(paymentId));
    void this.keeper.keep({ reference, paymentId, fence }, () => this.unsent.abandon(intent.payment, decide));
  }

  private async recordResult(begun: Intent, result: GatewayResult): Promise<Outcome> {
    const { reference, sessionId, id: paymentId } = begun.payment;
    const heard = this.notes.hear(paymentId);
    const decide = this.decideOn(begun, result, heard);
    const outcome = await this.writer.write({ reference, sessionId, paymentId }, paymentId, decide);
    this.notes.keep(outcome.payment, heard);
    return outcome;
  }

  /** Turns the gateway's answer into rows. */
  private decideOn({ payment: begun, row }: Intent, result: GatewayResult, heard: Heard): Decide<Outcome> {
    return (found) => {
      const snapshot = withEndedCall(found, row.id, heard, this.store.clock.now());
      const { payment, reference: referenceRow, openOperations } = paymentSnapshot(snapshot);
      const operation = openOperations.find(({ id }) => id === row.id);
      // Settled meanwhile: a process that took the lease over has found out its outcome. The answer still counts.
      const update = operation
        ? interpretInitiation(result, {
            payment,
            reference: referenceRow,
            operation,
            mode: this.config.gateway.mode,
          })
        : interpretLate(result, row, this.applier.inquiry(snapshot));
      if (!update) return { changes: {}, result: { payment, replayed: false } };
      const lease = { owner: this.store.owner, fence: begun.leaseFence };
      const changes = this.applier.changes(snapshot, update, lease);
      return {
        changes,
        result: { payment: changes.payment, replayed: false, problem: update.problem },
      };
    };
  }

  private async findPayment(id: string): Promise<PaymentRecord> {
    const payment = await this.repository.find(id);
    if (!payment) throw new Error('A kept idempotency key names a payment that does not exist');
    return payment;
  }
}
