import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import { isReplay, keepKey, type KeyedRequest } from '../../idempotency/idempotency.js';
import type { IdempotencyRecord, PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { Applier } from '../apply/applier.js';
import { disputedAnswer } from '../state/attention.js';
import { canceled, isCancelable, isUndecided } from './cancellation.js';
import { Inquiry } from '../inquiry/inquiry.js';
import { interpretResolution, type Resolution } from '../interpret/interpret-resolution.js';
import { LeaseWaiter } from '../lease/lease-waiter.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import { isLeased } from '../lease/payment-lease.js';
import type { Outcome } from './payment-starter.js';
import { paymentSnapshot } from '../apply/payment-snapshot.js';

/** While a cancellation asks the gateway its key is in use: as long as it holds the payment's lease, at most so long. */
const CANCEL_RUNS_MS = 600_000;

type Held = { replay: PaymentRecord } | { leased: PaymentRecord; key: IdempotencyRecord };

/** What is decided about a payment without moving money at the gateway: to cancel it, or to resolve it by hand. */
@Injectable()
export class PaymentDecisions {
  constructor(
    private readonly store: Store,
    private readonly inquiry: Inquiry,
    private readonly waiter: LeaseWaiter,
    private readonly applier: Applier,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Cancels a payment that waits for its payer. The gateway is asked first: what it says about paid, held or not paid
   * counts; only while it waits the payment is canceled; without its clear word nothing happens (`outcome-unknown`).
   */
  async cancel(payment: PaymentRecord, request: KeyedCall): Promise<Outcome> {
    const held = await this.waiter.inTurn(payment.id, () => this.tryToHold(payment, request));
    if ('replay' in held) return { payment: held.replay, replayed: true };
    const idempotency = { scope: request.scope, key: request.key };
    const asked = await this.inquiry.askHolding(held.leased, {
      idempotency,
      conclude: (reading, inquiry) =>
        reading === 'waiting' && isCancelable(inquiry.payment) ? canceled(inquiry, request.actor) : undefined,
      // Without a clear answer nothing was done, so the key is as good as new.
      end: (after) =>
        isUndecided(after)
          ? { releaseIdempotency: idempotency }
          : { idempotency: { ...held.key, runningUntil: null } },
    });
    if (!isUndecided(asked)) return { payment: asked.payment, replayed: false };
    throw new Problem('outcome-unknown', 'The gateway gave no clear answer; the payment is still live.', {
      paymentId: payment.id,
    });
  }

  /** Records a person's word about a payment that needs attention. */
  async resolve(payment: PaymentRecord, resolution: Resolution, request: KeyedCall): Promise<Outcome> {
    const secretKeys = this.config.keys.secretKeys.current();
    const { reference, sessionId, id: paymentId } = payment;
    const look = { reference, sessionId, paymentId, idempotency: { scope: request.scope, key: request.key } };
    return this.store.writer.write<Outcome>(look, (snapshot) => {
      const rows = paymentSnapshot(snapshot);
      const now = Date.now();
      if (isReplay(snapshot.idempotency, snapshot.keyedOperation, request, secretKeys, now)) {
        return { changes: {}, result: { payment: rows.payment, replayed: true } };
      }
      const changes = this.applier.changes(snapshot, {
        ...interpretResolution(resolution, rows),
        actor: request.actor,
      });
      const settledAnswer = disputedAnswer(rows.payment.attentionReason) ?? rows.payment.settledAnswer;
      const resolved = { ...changes.payment, settledAnswer };
      const made = { sessionId, paymentId, sessionExpiresAt: rows.session.expiresAt };
      return {
        changes: { ...changes, payment: resolved, idempotency: keepKey(request, secretKeys, made, now) },
        result: { payment: resolved, replayed: false },
      };
    });
  }

  /**
   * Keeps the key and takes the payment's lease in one write, so that as long as the lease lasts somebody is at it.
   * Undefined where somebody else holds the lease.
   */
  private tryToHold(payment: PaymentRecord, request: KeyedRequest): Promise<Held | undefined> {
    const secretKeys = this.config.keys.secretKeys.current();
    const { reference, sessionId, id: paymentId } = payment;
    const look = { reference, sessionId, paymentId, idempotency: { scope: request.scope, key: request.key } };
    return this.store.writer.write<Held | undefined>(look, (snapshot) => {
      const now = Date.now();
      const rows = paymentSnapshot(snapshot);
      const cancelable = isCancelable(rows.payment);
      const known = snapshot.idempotency && endedWithLease(snapshot.idempotency, rows.payment, now);
      const replay = isReplay(known, snapshot.keyedOperation, request, secretKeys, now);
      // A request that died halfway may have done its work: the payment tells.
      if (replay || (known && !cancelable)) return { changes: {}, result: { replay: rows.payment } };
      if (!cancelable) {
        throw new Problem(
          'invalid-state',
          `A payment that is ${rows.payment.status} cannot be canceled now.`,
        );
      }
      const changes = this.inquiry.lease(snapshot);
      if (!changes) return { changes: {}, result: undefined };
      const made = {
        sessionId,
        paymentId,
        runningUntil: now + CANCEL_RUNS_MS,
        sessionExpiresAt: rows.session.expiresAt,
      };
      const key = keepKey(request, secretKeys, made, now);
      return { changes: { ...changes, idempotency: key }, result: { leased: changes.payment, key } };
    });
  }
}

/** The key of a cancellation as it stands: one whose lease is gone has ended, however it did. */
function endedWithLease(key: IdempotencyRecord, payment: PaymentRecord, now: number): IdempotencyRecord {
  return key.runningUntil === null || isLeased(payment, now) ? key : { ...key, runningUntil: 0 };
}
