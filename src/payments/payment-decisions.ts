import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Problem } from '../http/problem.js';
import { isReplay, keepKey, type KeyedRequest } from '../idempotency/idempotency.js';
import type { PaymentRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import { Applier } from './applier.js';
import { failure } from './failures.js';
import { Inquiry } from './inquiry.js';
import type { StatusInquiry } from './judge-status.js';
import type { Outcome } from './payment-starter.js';
import { judgeResolution, type Resolution } from './judge-resolution.js';
import { subjectOf } from './subject.js';
import type { Verdict } from './verdict.js';

/** A cancellation asks the gateway; its key is held so long, should this process die meanwhile. */
const CANCEL_RUNS_MS = 45_000;

/** What is decided about a payment without moving money at the gateway: to cancel it, or to resolve it by hand. */
@Injectable()
export class PaymentDecisions {
  constructor(
    private readonly store: Store,
    private readonly inquiry: Inquiry,
    private readonly applier: Applier,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Cancels a payment that waits for its payer. The gateway is asked first: what it says about paid, held or not paid
   * counts; only while it waits the payment is canceled; without its clear word nothing happens (`outcome-unknown`).
   */
  async cancel(payment: PaymentRecord, request: KeyedRequest, actor: 'payer' | 'merchant'): Promise<Outcome> {
    const replay = await this.holdKey(payment, request);
    if (replay) return { payment: replay, replayed: true };
    try {
      const asked = await this.inquiry.ask(payment.id, (reading, inquiry) =>
        reading === 'waiting' && isCancelable(inquiry.payment) ? canceled(inquiry, actor) : undefined,
      );
      const undecided = asked.reading === 'inconclusive' && isCancelable(asked.payment);
      if (undecided || (asked.reading === 'waiting' && asked.payment.status === 'processing')) {
        throw new Problem('outcome-unknown', 'The gateway gave no clear answer; the payment is still live.', {
          paymentId: payment.id,
        });
      }
      await this.endKey(asked.payment, request);
      return { payment: asked.payment, replayed: false };
    } catch (error) {
      await this.releaseKey(payment, request);
      throw error;
    }
  }

  /** Records a person's word about a payment that needs attention. */
  async resolve(payment: PaymentRecord, resolution: Resolution, request: KeyedRequest): Promise<Outcome> {
    const secretKeys = this.config.keys.secretKeys.current();
    const { reference, sessionId, id: paymentId } = payment;
    const look = { reference, sessionId, paymentId, idempotency: { scope: request.scope, key: request.key } };
    return this.store.seam.write<Outcome>(look, (snapshot) => {
      const subject = subjectOf(snapshot);
      const now = Date.now();
      if (isReplay(snapshot.idempotency, snapshot.keyedOperation, request, secretKeys, now)) {
        return { changes: {}, result: { payment: subject.payment, replayed: true } };
      }
      const changes = this.applier.changes(snapshot, judgeResolution(resolution, subject));
      const settledAnswer = subject.payment.attentionReason?.split(' ')[1] ?? subject.payment.settledAnswer;
      const resolved = { ...changes.payment, settledAnswer };
      const made = { sessionId, paymentId, sessionExpiresAt: subject.session.expiresAt };
      return {
        changes: { ...changes, payment: resolved, idempotency: keepKey(request, secretKeys, made, now) },
        result: { payment: resolved, replayed: false },
      };
    });
  }

  /** Keeps the key while the gateway is asked. Returns the payment where the request was made before. */
  private holdKey(payment: PaymentRecord, request: KeyedRequest): Promise<PaymentRecord | undefined> {
    const secretKeys = this.config.keys.secretKeys.current();
    const { reference, sessionId, id: paymentId } = payment;
    const look = { reference, sessionId, paymentId, idempotency: { scope: request.scope, key: request.key } };
    return this.store.seam.write<PaymentRecord | undefined>(look, (snapshot) => {
      const now = Date.now();
      const subject = subjectOf(snapshot);
      const cancelable = isCancelable(subject.payment);
      const replay = isReplay(snapshot.idempotency, snapshot.keyedOperation, request, secretKeys, now);
      // A request that died halfway may have done its work: the payment tells.
      if (replay || (snapshot.idempotency && !cancelable)) return { changes: {}, result: subject.payment };
      if (!cancelable) {
        throw new Problem(
          'invalid-state',
          `A payment that is ${subject.payment.status} cannot be canceled now.`,
        );
      }
      const made = {
        sessionId,
        paymentId,
        runningUntil: now + CANCEL_RUNS_MS,
        sessionExpiresAt: subject.session.expiresAt,
      };
      return { changes: { idempotency: keepKey(request, secretKeys, made, now) }, result: undefined };
    });
  }

  private async endKey({ reference, id, sessionId }: PaymentRecord, request: KeyedRequest): Promise<void> {
    const idempotency = { scope: request.scope, key: request.key };
    await this.store.seam.write({ reference, sessionId, paymentId: id, idempotency }, (snapshot) => ({
      changes: snapshot.idempotency ? { idempotency: { ...snapshot.idempotency, runningUntil: null } } : {},
      result: undefined,
    }));
  }

  private async releaseKey({ reference }: PaymentRecord, request: KeyedRequest): Promise<void> {
    const releaseIdempotency = { scope: request.scope, key: request.key };
    await this.store.seam.write({ reference }, () => ({
      changes: { releaseIdempotency },
      result: undefined,
    }));
  }
}

/** A payment that waits for its payer, or that the gateway has said it waits with. */
function isCancelable(payment: PaymentRecord): boolean {
  return payment.status === 'requires_action' || (payment.status === 'processing' && payment.waiting);
}

function canceled({ openOperations }: StatusInquiry, actor: string): Verdict {
  return {
    move: { to: 'canceled', by: 'cancel', failure: failure('canceled') },
    operations: openOperations.map(({ id }) => ({ id, status: 'refused' as const })),
    answered: true,
    conclusive: true,
    actor,
  };
}
