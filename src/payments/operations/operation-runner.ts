import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import type { SendGate } from '../../gateway/gateway.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import { Problem } from '../../http/problems/problem.js';
import { isReplay, keepKey, type KeyedRequest } from '../../idempotency/idempotency.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import type { OperationRecord, OperationType, PaymentRecord } from '../../store/schema.js';
import type { RefundColumns } from '../../store/refund-columns.js';
import { Store } from '../../store/store.js';
import { StoreUnavailable } from '../../store/store-unavailable.js';
import type { Decide } from '../../store/payment-writer.js';
import { Applier } from '../apply/applier.js';
import { countCode } from './code-counts.js';
import { DurableWriter } from './durable-writer.js';
import type { OperationCall } from '../interpret/interpret-operation.js';
import { interpretLate } from '../interpret/late-answer.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { LeaseWaiter } from '../lease/lease-waiter.js';
import { withLease, withOperationLease } from '../lease/payment-lease.js';
import type { Outcome } from './outcome.js';
import { intentEntry, madeOf, newOperation } from './new-operation.js';
import { PreparedCall } from './prepared-call.js';
import { sendGate, thisMoment, type Moment } from './send-gate.js';
import type { PaymentSnapshot } from '../apply/apply.js';
import { paymentSnapshot, withEndedCall } from '../apply/payment-snapshot.js';
import type { Sent } from '../interpret/sent.js';
import { NEVER_SENT, UnsentIntents } from './unsent-intents.js';
import { AnswerNotes } from '../state/answer-notes.js';
import { withSeenTime, type Heard } from '../state/seen-time.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** One operation on a payment: when it may begin, how it is sent and what its answer means. */
export interface Operation {
  type: OperationType;
  actor: string;
  /** Throws where the payment does not allow it. Returns the amount of a completion or a refund in minor units, otherwise null. */
  check: (rows: PaymentSnapshot) => bigint | null;
  /**
   * Asks the gateway about the payment before the intent, where the operation may begin as far as is known, and gives back the
   * lease that was taken for it. What it learns is checked again with the intent.
   */
  askFirst?: (leased: PaymentRecord, rows: PaymentSnapshot) => Promise<void>;
  /** Whether it must be asked first. Absent: always. */
  asksFirst?: (rows: PaymentSnapshot) => boolean;
  /** What the row of a refund has besides, by the payment as it is before. */
  refund?: (payment: PaymentRecord) => RefundColumns;
  send: (payment: PaymentRecord, row: OperationRecord, gate: SendGate) => Promise<GatewayResult>;
  interpret: (result: GatewayResult, call: OperationCall) => PaymentUpdate;
  /** How the row stands in the store by now, where a late answer is read against that. Throws `StoreUnavailable` to be asked again. */
  recorded?: (row: OperationRecord) => Promise<OperationRecord>;
  /** What the payer sent, if anything. It is removed from the gateway's answer before that is kept. */
  sent?: Sent;
}

/** A payment and the operation begun on it, as the store has them if the commit succeeded. */
interface Intent {
  payment: PaymentRecord;
  row: OperationRecord;
}

type Begun =
  | { kind: 'ask'; leased: PaymentRecord; rows: PaymentSnapshot }
  | { kind: 'replay'; payment: PaymentRecord; operationId: string | undefined }
  | (Intent & { kind: 'begun'; intendedAt: Moment });

/**
 * Runs an operation on a payment, the same way for one-time codes, completions, voids and refunds: the intent is committed before
 * anything is sent, it is sent once, and the answer is recorded.
 */
@Injectable()
export class OperationRunner {
  constructor(
    private readonly store: Store,
    private readonly keeper: LeaseKeeper,
    private readonly waiter: LeaseWaiter,
    private readonly applier: Applier,
    private readonly notes: AnswerNotes,
    private readonly writer: DurableWriter,
    private readonly unsent: UnsentIntents,
    private readonly prepared: PreparedCall,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Commits the intent, sends it once and records the answer. An operation that is already open is refused with
   * `operation-in-progress`; a status check that is under way is waited for.
   */
  async run(found: PaymentRecord, request: KeyedCall | undefined, operation: Operation): Promise<Outcome> {
    const begun = await this.begin(found, request, operation);
    request?.intended();
    if (begun.kind === 'replay') {
      return { payment: begun.payment, replayed: true, operationId: begun.operationId };
    }
    const { payment, row, intendedAt } = begun;
    const gate = sendGate(intendedAt, (kept) => this.prepared.commit(payment, kept, operation.sent));
    const lease = { reference: found.reference, paymentId: found.id, fence: payment.leaseFence };
    return this.keeper.keep(lease, async () =>
      this.recordResult(begun, operation, await operation.send(payment, row, gate)),
    );
  }

  private async begin(
    found: PaymentRecord,
    request: KeyedCall | undefined,
    operation: Operation,
  ): Promise<Exclude<Begun, { kind: 'ask' }>> {
    const { askFirst, ...asked } = operation;
    const begun = await this.waiter.inTurn(found.id, () => this.tryBegin(found, request, operation));
    if (begun.kind !== 'ask') return begun;
    await askFirst?.(begun.leased, begun.rows);
    return this.begin(found, request, asked);
  }

  /** Commits the operation as `intended` and takes the payment's lease. Undefined where another request holds the lease. */
  private async tryBegin(
    found: PaymentRecord,
    request: KeyedRequest | undefined,
    operation: Operation,
  ): Promise<Begun | undefined> {
    const secretKeys = this.config.keys.secretKeys.current();
    const intendedAt = thisMoment();
    const wanted = {
      reference: found.reference,
      sessionId: found.sessionId,
      paymentId: found.id,
      ...(request && { idempotency: { scope: request.scope, key: request.key } }),
    };
    let intent: Intent | undefined;
    const heard = this.notes.hear(found.id);
    const decide: Decide<Begun | undefined> = (snapshot) => {
      intent = undefined;
      const now = this.store.clock.now();
      const rows = paymentSnapshot(snapshot);
      const { payment, session, openOperations } = rows;
      if (request && isReplay(snapshot.idempotency, snapshot.keyedOperation, request, secretKeys, now)) {
        const operationId = snapshot.keyedOperation?.id;
        return { changes: {}, result: { kind: 'replay', payment, operationId } };
      }
      if (openOperations.some((open) => open.type !== 'pay')) throw inProgress(payment);
      const amount = operation.check(rows);
      if (this.keeper.isTaken(payment, now)) return { changes: {}, result: undefined };
      if (operation.askFirst && (operation.asksFirst?.(rows) ?? true)) {
        const leased = withLease(payment, this.store.owner, now);
        return { changes: { payment: leased }, result: { kind: 'ask', leased, rows } };
      }
      const seen = withSeenTime(payment, heard, now);
      const row = newOperation(seen, operation, amount, this.store.owner, now, operation.refund?.(payment));
      const leased = withOperationLease(seen, this.store.owner, now);
      const changes = {
        payment: {
          ...countCode(leased, row.type, 1),
          refundsMade: payment.refundsMade + (row.type === 'refund' ? 1 : 0),
          timelineSequence: payment.timelineSequence + 1,
        },
        operations: [row],
        timeline: [intentEntry(payment, row, now)],
        ...(request && { idempotency: keepKey(request, secretKeys, madeOf(session, payment, row), now) }),
      };
      intent = { payment: changes.payment, row };
      return { changes, result: { kind: 'begun', ...intent, intendedAt } };
    };
    try {
      const begun = await this.store.writer.write(wanted, decide);
      if (begun?.kind === 'begun') this.notes.keep(begun.payment, heard);
      return begun;
    } catch (error) {
      if (error instanceof StoreUnavailable) this.abandon(intent, operation);
      throw error;
    }
  }

  /** Closes an intent whose commit may have failed: if the store has it, it was never sent and never will be. */
  private abandon(intent: Intent | undefined, { interpret, actor }: Operation): void {
    // Without `sent`: a code that will not be sent must not stay in memory.
    if (!intent) return;
    const decide = this.decideOn(
      intent,
      { interpret, actor },
      NEVER_SENT,
      this.notes.hear(intent.payment.id),
    );
    const { id: paymentId, reference, leaseFence: fence } = intent.payment;
    void this.keeper.keep({ reference, paymentId, fence }, () => this.unsent.abandon(intent.payment, decide));
  }

  private async recordResult(begun: Intent, operation: Operation, result: GatewayResult): Promise<Outcome> {
    const { reference, sessionId, id: paymentId } = begun.payment;
    const heard = this.notes.hear(paymentId);
    let { row } = begun;
    const recorded = async (): Promise<void> => {
      row = (await operation.recorded?.(begun.row)) ?? begun.row;
    };
    const outcome = await this.writer.write(
      { reference, sessionId, paymentId, settledRefunds: begun.payment.refundsMade > 0 },
      paymentId,
      (snapshot) => this.decideOn({ ...begun, row }, operation, result, heard)(snapshot),
      recorded,
    );
    this.notes.keep(outcome.payment, heard);
    return outcome;
  }

  /** Turns the gateway's answer into rows. */
  private decideOn(
    { payment: begun, row }: Intent,
    operation: Pick<Operation, 'interpret' | 'actor' | 'sent'>,
    result: GatewayResult,
    heard: Heard,
  ): Decide<Outcome> {
    return (found) => {
      const snapshot = withEndedCall(found, row.id, heard, this.store.clock.now());
      const rows = paymentSnapshot(snapshot);
      const current = rows.openOperations.find(({ id }) => id === row.id);
      const cleaned = this.applier.clean(result, rows.session, operation.sent);
      // Settled meanwhile: a process that took the lease over has found out its outcome. The answer still counts.
      const update = current
        ? operation.interpret(cleaned, {
            payment: rows.payment,
            reference: rows.reference,
            operation: current,
            mode: this.config.gateway.mode,
          })
        : interpretLate(cleaned, row, this.applier.inquiry(snapshot));
      const made = { replayed: false, operationId: row.id };
      if (!update) return { changes: {}, result: { payment: rows.payment, ...made } };
      const lease = { owner: this.store.owner, fence: begun.leaseFence };
      const changes = this.applier.changes(snapshot, { ...update, actor: operation.actor }, lease);
      // A code that was never sent does not count towards the limit.
      const payment = result.kind === 'not-sent' ? countCode(changes.payment, row.type, -1) : changes.payment;
      return {
        changes: { ...changes, payment },
        result: { payment, ...made, problem: update.problem },
      };
    };
  }
}

function inProgress(payment: PaymentRecord): Problem {
  return new Problem('operation-in-progress', 'Another operation on this payment is in progress.', {
    paymentId: payment.id,
  });
}
