import { Injectable } from '@nestjs/common';
import { decided, isApprovalId } from '../../approvals/approval.js';
import type { KeptValues } from '../../gateway/gateway.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import { Problem } from '../../http/problems/problem.js';
import { KeyedWriter, type Once } from '../../idempotency/keyed-writer.js';
import type { Decide, Snapshot } from '../../store/payment-writer.js';
import type { PaymentRecord } from '../../store/schema.js';
import { NotInStore } from '../../store/not-in-store.js';
import { Store } from '../../store/store.js';
import { newText } from '../../store/written-texts.js';
import { StoreUnavailable } from '../../store/store-unavailable.js';
import { Applier, paymentSnapshot, withEndedCall } from '../apply/applier.js';
import { EchoFinder, NOTHING_SENT, withoutEchoedValues, type Sent } from '../interpret/echoed.js';
import { interpretLate } from '../interpret/late-answer.js';
import { mean } from '../interpret/meaning.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { LeaseWaiter } from '../lease/lease-waiter.js';
import { holds, withLease, withOperationLease } from '../lease/payment-lease.js';
import { AnswerNotes, withSeenTime, type AnswerTimes } from '../state/seen-time.js';
import {
  CommandContext,
  type Found,
  type Intent,
  type OnPayment,
  type OperationKind,
  type Outcome,
  type Step,
} from './command.js';
import { completing, type Complete } from './complete.js';
import { DurableWriter, NEVER_SENT, UnsentIntents } from './durable-writer.js';
import { isOutrun } from './fresh-answers.js';
import { intentEntry, madeOf, newOperation } from './new-operation.js';
import {
  admitPayer,
  intendPayment,
  lookForPayment,
  noSession,
  sendPayment,
  targetOf,
  type Pay,
} from './pay.js';
import { refunding, type Refund } from './refund.js';
import { sendGate, thisMoment, type Moment } from './send-gate.js';
import { countCode, submitting, type SubmitCode } from './submit-code.js';
import { voiding, type Void } from './void.js';

/** What can be asked of the gateway that moves money or state. */
export type Command = Pay | SubmitCode | Complete | Void | Refund;

/** Each operation on an existing payment. A new one is added here, with its rows in the table of meanings. */
const KINDS: Readonly<Record<OnPayment['type'], OperationKind<OnPayment>>> = {
  otp: submitting,
  pin: submitting,
  complete: completing,
  void: voiding,
  refund: refunding,
};

/** How far a command has come with one write. */
type Begun =
  | {
      kind: 'replay';
      paymentId: string;
      payment?: PaymentRecord;
      operationId: string | undefined;
      approvalId?: string;
    }
  /** It waits for an approval. */
  | { kind: 'waits'; payment: PaymentRecord; approvalId: string }
  /** Something must be known first. */
  | { kind: 'first'; find: () => Promise<Found> }
  /** Refused, together with what that changes. */
  | { kind: 'refused'; problem: Problem }
  | (Intent & { kind: 'begun'; intendedAt: Moment });

/** Whose rows a command is about. A new payment has no id yet. */
interface Target {
  readonly reference: string;
  readonly sessionId: string;
  readonly id?: string;
}

/**
 * Runs every command in the same three steps: its intent is committed before anything is sent, it is sent once, and what the answer means
 * is applied. No other place sends anything that moves money or state.
 */
@Injectable()
export class Engine {
  constructor(
    private readonly store: Store,
    private readonly keyed: KeyedWriter,
    private readonly context: CommandContext,
    private readonly keeper: LeaseKeeper,
    private readonly waiter: LeaseWaiter,
    private readonly applier: Applier,
    private readonly notes: AnswerNotes,
    private readonly writer: DurableWriter,
    private readonly unsent: UnsentIntents,
  ) {}

  /**
   * Where the command's key was used before, the payment is answered as it stands. Throws what the payment or session does not allow,
   * with nothing changed, and `operation-in-progress` while another operation is open; a status check that is under way is waited for.
   */
  async run(command: Command): Promise<Outcome> {
    const begun = await this.begin(command);
    if (begun.kind === 'replay') {
      const { kind: _, paymentId, payment = await this.mustFind(paymentId), ...made } = begun;
      return { payment, replayed: true, ...made };
    }
    if (begun.kind === 'waits') {
      const { payment, approvalId } = begun;
      return { payment, approvalId, replayed: false };
    }
    const { payment } = begun;
    const lease = { reference: payment.reference, paymentId: payment.id, fence: payment.leaseFence };
    return this.keeper.keep(lease, async () =>
      this.record(begun, await this.send(command, begun), this.sentWith(command)),
    );
  }

  private async begin(command: Command): Promise<Extract<Begun, { kind: 'replay' | 'begun' | 'waits' }>> {
    const target: Target = command.type === 'pay' ? await targetOf(command, this.context) : command.payment;
    for (let found: Found = {}; ;) {
      const begun = await this.waiter.inTurn(target.id ?? '', () => this.tryBegin(command, target, found));
      if (begun.kind === 'first') {
        found = await begun.find();
        continue;
      }
      command.call?.intended();
      if (begun.kind === 'refused') throw begun.problem;
      return begun;
    }
  }

  /** Commits the intent, unless the command was carried out before. Undefined where another request holds the payment's lease. */
  private async tryBegin(command: Command, target: Target, found: Found): Promise<Begun | undefined> {
    const { reference, sessionId, id } = target;
    const intendedAt = thisMoment();
    const heard = this.notes.hear(id ?? '');
    let intent: Intent | undefined;
    const once: Once<Begun | undefined> = {
      ...(command.type === 'pay' && { admit: admitPayer }),
      replay: replayOf,
      decide: (snapshot, now) => {
        intent = undefined;
        const step =
          command.type === 'pay'
            ? intendPayment(command, snapshot, now, { found, context: this.context })
            : this.intend(command, snapshot, now, { found, heard });
        if (!step) return { changes: {}, result: undefined };
        const { changes } = step;
        if ('first' in step) return { changes, result: { kind: 'first', find: step.first } };
        if ('refused' in step) return { changes, result: { kind: 'refused', problem: step.refused } };
        if ('waits' in step) {
          const payment = paymentSnapshot(snapshot).payment;
          return { changes, result: { kind: 'waits', payment, approvalId: step.waits }, made: step.made };
        }
        intent = step.intent;
        return { changes, result: { kind: 'begun', intendedAt, ...intent }, made: step.made };
      },
    };
    const rows =
      command.type === 'pay'
        ? lookForPayment(command, this.context)
        : { paymentId: id, approvalId: command.approved?.id };
    try {
      const begun = await this.keyed.write(command.call, { reference, sessionId, ...rows }, once);
      if (begun?.kind === 'begun') this.notes.keep(begun.payment, heard);
      return begun;
    } catch (error) {
      if (error instanceof StoreUnavailable) this.abandon(intent);
      if (!(error instanceof NotInStore) || command.type !== 'pay') throw error;
      this.context.references.forget(sessionId);
      throw noSession();
    }
  }

  /** The intent of an operation on an existing payment, with its lease taken. */
  private intend(
    command: OnPayment,
    snapshot: Snapshot,
    now: number,
    { found, heard }: { found: Found; heard: AnswerTimes },
  ): Step {
    const { context } = this;
    const kind = KINDS[command.type];
    const rows = paymentSnapshot(snapshot);
    const { payment, session, openOperations } = rows;
    const decision = command.approved && decided(snapshot.approval, 'approved', command.approved.by, now);
    if (openOperations.some((open) => open.type !== 'pay')) throw inProgress(payment);
    const amount = kind.allow(command, rows, context);
    const needed = decision ? undefined : kind.needs?.(command, rows, amount, context);
    if (needed) return context.approvals.rows(rows, needed, now);
    const fresh = found.fresh && !isOutrun(found.fresh, payment) ? found.fresh : undefined;
    if (fresh) context.answers.assert(rows, fresh);
    if (this.keeper.isTaken(payment, now)) return undefined;
    if (!fresh && kind.asksFirst?.(command, rows, context)) {
      const leased = withLease(payment, this.store.owner, now);
      const first = async (): Promise<Found> => ({ fresh: await context.answers.ask(leased, rows) });
      return { changes: { payment: leased }, first };
    }
    const seen = withSeenTime(payment, heard, now);
    const columns = kind.columns?.(command, payment, fresh, context);
    const said = kind.text?.(command);
    const text = said === undefined ? undefined : newText(said, command.actor, payment.id, now);
    const row = {
      ...newOperation(seen, command, amount, this.store.owner, now, columns),
      textId: text?.id ?? null,
    };
    const intended = {
      ...countCode(withOperationLease(seen, this.store.owner, now), row.type, 1),
      refundsMade: payment.refundsMade + (row.type === 'refund' ? 1 : 0),
      timelineSequence: payment.timelineSequence + 1,
    };
    return {
      changes: {
        payment: intended,
        operations: [row],
        timeline: [intentEntry(payment, row, now)],
        ...(text && { texts: [text] }),
        ...(decision && { approval: { ...decision, operationId: row.id } }),
      },
      intent: { payment: intended, session, row },
      made: madeOf(session, payment, row),
    };
  }

  /** Sends the command once, if its intent is still fresh. */
  private send(command: Command, begun: Intent & { intendedAt: Moment }): Promise<GatewayResult> {
    const gate = sendGate(begun.intendedAt, (kept) =>
      this.mayGoOn(begun.payment, kept, this.sentWith(command)),
    );
    if (command.type === 'pay') return sendPayment(command, begun, gate, this.context);
    return KINDS[command.type].send(command, begun, gate, this.context);
  }

  /**
   * Commits what a call before the call has brought, so that a lost answer cannot lose it. Whether the call itself may go out: only while
   * this process still holds the payment, `leased` being the payment as its lease was taken.
   */
  private async mayGoOn(leased: PaymentRecord, kept: KeptValues, sent: Sent): Promise<boolean> {
    const cleaned = withoutEchoedValues(kept, new EchoFinder(sent.secrets));
    if (Object.keys(cleaned).length < Object.keys(kept).length) return false;
    const { reference, sessionId, id: paymentId, leaseFence } = leased;
    return this.store.writer.write({ reference, sessionId, paymentId }, ({ payment }) => {
      if (!payment || !holds(payment, this.store.owner, leaseFence)) return { changes: {}, result: false };
      const version = payment.version + 1;
      return {
        changes: { payment: { ...payment, kept: { ...payment.kept, ...cleaned }, version } },
        result: true,
      };
    });
  }

  private async record(intent: Intent, result: GatewayResult, sent: Sent): Promise<Outcome> {
    const { reference, sessionId, id: paymentId, refundsMade } = intent.payment;
    const heard = this.notes.hear(paymentId);
    const wanted = { reference, sessionId, paymentId, settledRefunds: refundsMade > 0 };
    const outcome = await this.writer.write(wanted, paymentId, this.applying(intent, result, heard, sent));
    this.notes.keep(outcome.payment, heard);
    return outcome;
  }

  /** Closes an intent whose commit may have failed: if the store has it, it was never sent and never will be. */
  private abandon(intent: Intent | undefined): void {
    // Without the command: what was not sent must not stay in memory.
    if (!intent) return;
    const { id: paymentId, reference, leaseFence: fence } = intent.payment;
    const decide = this.applying(intent, NEVER_SENT, this.notes.hear(paymentId), NOTHING_SENT);
    void this.keeper.keep({ reference, paymentId, fence }, () => this.unsent.abandon(intent.payment, decide));
  }

  /** Turns the gateway's answer into rows. */
  private applying(
    { payment: begun, row }: Pick<Intent, 'payment' | 'row'>,
    result: GatewayResult,
    heard: AnswerTimes,
    sent: Sent,
  ): Decide<Outcome> {
    return (found) => {
      const snapshot = withEndedCall(found, row.id, heard, this.store.clock.now());
      const { payment, reference, session, openOperations, settledRefunds } = paymentSnapshot(snapshot);
      const cleaned = this.applier.clean(result, session, sent);
      const operation = openOperations.find(({ id }) => id === row.id);
      // Settled meanwhile: a process that took the lease over has found out its outcome. The answer still counts.
      const settled = settledRefunds?.find(({ id }) => id === row.id) ?? row;
      const update = operation
        ? mean(cleaned, {
            ...{ payment, reference, operation, mode: this.context.config.gateway.mode },
            ...(settledRefunds && { settledRefunds }),
          })
        : interpretLate(cleaned, settled, this.applier.inquiry(snapshot));
      const made = { replayed: false, operationId: row.id };
      if (!update) return { changes: {}, result: { payment, ...made } };
      const lease = { owner: this.store.owner, fence: begun.leaseFence };
      // That a payment was begun is not repeated with each answer to its first call.
      const actor = row.type === 'pay' ? {} : { actor: row.actor };
      const changes = this.applier.changes(snapshot, { ...update, ...actor }, lease);
      // A code that was never sent does not count towards the limit.
      const after = result.kind === 'not-sent' ? countCode(changes.payment, row.type, -1) : changes.payment;
      return {
        changes: { ...changes, payment: after },
        result: { payment: after, ...made, problem: update.problem },
      };
    };
  }

  /** What the payer sent with a command. */
  private sentWith(command: Command): Sent {
    if (command.type === 'pay') return command.sent;
    return KINDS[command.type].sent?.(command) ?? NOTHING_SENT;
  }

  private async mustFind(id: string): Promise<PaymentRecord> {
    const payment = await this.context.repository.find(id);
    if (!payment) throw new Error('A kept idempotency key names a payment that does not exist');
    return payment;
  }
}

function replayOf({ payment, idempotency, keyedOperation }: Snapshot): Begun {
  const paymentId = idempotency?.paymentId ?? '';
  const made = idempotency?.operationId;
  return {
    kind: 'replay',
    paymentId,
    ...(payment && { payment }),
    operationId: keyedOperation?.id,
    ...(isApprovalId(made) && { approvalId: made }),
  };
}

function inProgress(payment: PaymentRecord): Problem {
  return new Problem('operation-in-progress', 'Another operation on this payment is in progress.', {
    paymentId: payment.id,
  });
}
