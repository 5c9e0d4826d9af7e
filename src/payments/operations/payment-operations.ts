import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Gateway, type SendGate } from '../../gateway/gateway.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import { Problem } from '../../http/problems/problem.js';
import { isReplay, keepKey, type KeyedRequest } from '../../idempotency/idempotency.js';
import { formatMajor, parseMajor } from '../../money/money.js';
import type { Secret } from '../../secrets/secret.js';
import type { OperationRecord, OperationType, PaymentRecord, ReferenceRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { StoreUnavailable } from '../../store/store-unavailable.js';
import type { Decide } from '../../store/payment-writer.js';
import { Applier } from '../apply/applier.js';
import { DurableWriter } from './durable-writer.js';
import {
  interpretCompletion,
  interpretOtp,
  interpretVoid,
  type OperationCall,
} from '../interpret/interpret-operation.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { LeaseWaiter } from '../lease/lease-waiter.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import { isLeased, withOperationLease } from '../lease/payment-lease.js';
import type { Outcome } from './payment-starter.js';
import { intentEntry, madeOf, newOperation } from './new-operation.js';
import { sendGate } from './send-gate.js';
import { paymentSnapshot } from '../apply/payment-snapshot.js';
import type { Sent } from '../interpret/sent.js';
import { NEVER_SENT, UnsentIntents } from './unsent-intents.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** One-time codes that may be sent for one payment: whoever guesses must stop. */
const MAX_OTPS = 5;

/** One operation on a payment: when it may be begun, how it is sent and how its answer is read. */
interface Operation {
  type: OperationType;
  actor: string;
  /** Throws where the payment's state does not allow it; says how much is asked for, for a completion. */
  check: (payment: PaymentRecord, reference: ReferenceRecord) => bigint | null;
  send: (payment: PaymentRecord, amount: bigint | null, gate: SendGate) => Promise<GatewayResult>;
  interpret: (result: GatewayResult, call: OperationCall) => PaymentUpdate;
  /** What the payer sent, if anything: it is removed from what the gateway says. */
  sent?: Sent;
}

/** A payment with the operation that was begun on it, as they stand in the store if the commit got through. */
interface Intent {
  payment: PaymentRecord;
  row: OperationRecord;
}

type Intended = { kind: 'replay'; payment: PaymentRecord } | (Intent & { kind: 'intended'; gate: SendGate });

/** One-time code, completion and void: each an operation row, committed as intended before it is sent, and sent once. */
@Injectable()
export class PaymentOperations {
  constructor(
    private readonly store: Store,
    private readonly gateway: Gateway,
    private readonly keeper: LeaseKeeper,
    private readonly waiter: LeaseWaiter,
    private readonly applier: Applier,
    private readonly writer: DurableWriter,
    private readonly unsent: UnsentIntents,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Sends the payer's one-time code. */
  otp(payment: PaymentRecord, otp: Secret, request: KeyedRequest): Promise<Outcome> {
    return this.run(payment, request, {
      type: 'otp',
      actor: 'payer',
      check: (current) => {
        if (current.status !== 'requires_action' || current.nextAction?.type !== 'otp') {
          throw new Problem('invalid-state', 'This payment does not wait for a one-time code.');
        }
        if (current.otpsSent >= MAX_OTPS) throw new Problem('invalid-state', 'No further codes can be sent.');
        return null;
      },
      send: (current, _, gate) =>
        this.gateway.validateOtp({ ...called(current), amount: current.amount, otp }, gate),
      interpret: interpretOtp,
      sent: { words: [], secrets: [otp.unwrap()] },
    });
  }

  /** Takes what was held, or part of it. `amount` is a decimal string in major units; without it, all. */
  complete(payment: PaymentRecord, amount: string | undefined, request: KeyedCall): Promise<Outcome> {
    return this.run(payment, request, {
      type: 'complete',
      actor: request.actor,
      check: (current) => {
        if (current.status !== 'authorized') {
          throw new Problem('invalid-state', 'Only an authorized payment can be completed.');
        }
        return amountToComplete(current, amount);
      },
      send: (current, asked, gate) =>
        this.gateway.complete({ ...called(current), amount: asked ?? current.amount }, gate),
      interpret: interpretCompletion,
    });
  }

  /** Gives the money back, or the hold up. */
  void(payment: PaymentRecord, request: KeyedCall): Promise<Outcome> {
    return this.run(payment, request, {
      ...this.voiding,
      actor: request.actor,
      check: (current) => {
        if (current.status !== 'authorized' && current.status !== 'succeeded') {
          throw new Problem('invalid-state', 'Only an authorized or succeeded payment can be voided.');
        }
        return null;
      },
      interpret: interpretVoid,
    });
  }

  /** Gives a duplicate's money back, as long as the payment that was announced first still is a paid one. */
  voidDuplicate(payment: PaymentRecord): Promise<Outcome> {
    return this.run(payment, undefined, {
      ...this.voiding,
      actor: 'policy',
      check: ({ status, duplicateOf }, { paidPaymentIds }) => {
        if (status !== 'succeeded' || duplicateOf === null || !paidPaymentIds.includes(duplicateOf)) {
          throw new Problem('invalid-state', 'This payment is no duplicate of a paid one.');
        }
        return null;
      },
      // Refused, it is sent again when the schedule comes to it, not at once and for ever.
      interpret: (result, call) => ({ ...interpretVoid(result, call), checkNow: false }),
    });
  }

  private get voiding(): Pick<Operation, 'type' | 'send'> {
    return {
      type: 'void',
      send: (current, _, gate) => this.gateway.void(called(current), gate),
    };
  }

  private async run(
    found: PaymentRecord,
    request: KeyedRequest | undefined,
    operation: Operation,
  ): Promise<Outcome> {
    // Another operation is answered at once; a mere question to the gateway is waited for.
    const intended = await this.waiter.inTurn(found.id, () => this.tryIntend(found, request, operation));
    if (intended.kind === 'replay') return { payment: intended.payment, replayed: true };
    const { payment, row, gate } = intended;
    const lease = { reference: found.reference, paymentId: found.id, fence: payment.leaseFence };
    const result = await this.keeper.keep(lease, () => operation.send(payment, row.amount, gate));
    return this.record(intended, operation, result);
  }

  /** Commits the operation as intended and takes the payment's lease; undefined where somebody else holds it. */
  private async tryIntend(
    found: PaymentRecord,
    request: KeyedRequest | undefined,
    operation: Operation,
  ): Promise<Intended | undefined> {
    const secretKeys = this.config.keys.secretKeys.current();
    const gate = sendGate(performance.now());
    const look = {
      reference: found.reference,
      sessionId: found.sessionId,
      paymentId: found.id,
      ...(request && { idempotency: { scope: request.scope, key: request.key } }),
    };
    let intent: Intent | undefined;
    const decide: Decide<Intended | undefined> = (snapshot) => {
      intent = undefined;
      const now = Date.now();
      const { payment, session, openOperations } = paymentSnapshot(snapshot);
      if (request && isReplay(snapshot.idempotency, snapshot.keyedOperation, request, secretKeys, now)) {
        return { changes: {}, result: { kind: 'replay', payment } };
      }
      if (openOperations.some((open) => open.type !== 'pay')) throw inProgress(payment);
      const amount = operation.check(payment, snapshot.reference);
      if (isLeased(payment, now)) return { changes: {}, result: undefined };
      const row = newOperation(payment, operation, amount, this.store.owner, now);
      const leased = withOperationLease(payment, this.store.owner, now);
      const changes = {
        payment: {
          ...leased,
          otpsSent: payment.otpsSent + (row.type === 'otp' ? 1 : 0),
          timelineSequence: payment.timelineSequence + 1,
        },
        operations: [row],
        timeline: [intentEntry(payment, row, now)],
        ...(request && { idempotency: keepKey(request, secretKeys, madeOf(session, payment, row), now) }),
      };
      intent = { payment: changes.payment, row };
      return { changes, result: { kind: 'intended', ...intent, gate } };
    };
    try {
      return await this.store.writer.write(look, decide);
    } catch (error) {
      if (error instanceof StoreUnavailable) this.abandon(intent, operation);
      throw error;
    }
  }

  /** The intent may be in the store or not; nothing was sent for it, and nothing will be. */
  private abandon(intent: Intent | undefined, { interpret, actor }: Operation): void {
    // A code that is not to be sent any more is not kept either.
    const recording = intent && this.recording(intent, { interpret, actor }, NEVER_SENT);
    if (recording) void this.unsent.abandon(intent.payment, recording);
  }

  private record(intended: Intent, operation: Operation, result: GatewayResult): Promise<Outcome> {
    const { reference, sessionId, id: paymentId } = intended.payment;
    const decide = this.recording(intended, operation, result);
    return this.writer.write({ reference, sessionId, paymentId }, paymentId, decide);
  }

  /** What the gateway said, as rows. */
  private recording(
    { payment: intended, row }: Intent,
    operation: Pick<Operation, 'interpret' | 'actor' | 'sent'>,
    result: GatewayResult,
  ): Decide<Outcome> {
    return (snapshot) => {
      const rows = paymentSnapshot(snapshot);
      const current = rows.openOperations.find(({ id }) => id === row.id);
      if (!current) return { changes: {}, result: { payment: rows.payment, replayed: false } };
      const cleaned = this.applier.clean(result, rows.session, operation.sent);
      const update = operation.interpret(cleaned, {
        payment: rows.payment,
        reference: rows.reference,
        operation: current,
        mode: this.config.gateway.mode,
      });
      const lease = { owner: this.store.owner, fence: intended.leaseFence };
      const changes = this.applier.changes(snapshot, { ...update, actor: operation.actor }, lease);
      // A code that never left does not count.
      const unsent = row.type === 'otp' && result.kind === 'not-sent' ? 1 : 0;
      const payment = { ...changes.payment, otpsSent: changes.payment.otpsSent - unsent };
      return {
        changes: { ...changes, payment },
        result: { payment, replayed: false, problem: update.problem },
      };
    };
  }
}

function called(payment: PaymentRecord): { clientRef: string; transactionRef?: string; currency: string } {
  return {
    clientRef: payment.gatewayReference,
    transactionRef: payment.transactionRef ?? undefined,
    currency: payment.currency,
  };
}

/** How much to take, in minor units. Throws `validation-failed` for nothing, for more than is held, or for what is no amount. */
function amountToComplete(payment: PaymentRecord, amount: string | undefined): bigint {
  const held = payment.amountAuthorized ?? payment.amount;
  if (amount === undefined) return held;
  const asked = parseMajor(amount, payment.currency);
  const fault =
    asked === undefined
      ? `must be a decimal amount in ${payment.currency}`
      : asked <= 0n
        ? 'must be above zero'
        : asked > held
          ? `must be at most the authorized amount, ${formatMajor(held, payment.currency)}`
          : undefined;
  if (asked === undefined || fault !== undefined) {
    throw new Problem('validation-failed', 'The amount to complete does not fit.', {
      errors: [{ pointer: '/amount', message: fault ?? 'must be an amount' }],
    });
  }
  return asked;
}

function inProgress(payment: PaymentRecord): Problem {
  return new Problem('operation-in-progress', 'Another operation on this payment is in progress.', {
    paymentId: payment.id,
  });
}
