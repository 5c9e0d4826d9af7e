import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import { hasExpired, isReplay, keepKey, type KeyedRequest } from '../../idempotency/idempotency.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import type { IdempotencyRecord, PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { canceled, endsByCancel, isCancelable, isUndecided } from '../interpret/interpret-cancellation.js';
import { Inquiry } from '../inquiry/inquiry.js';
import { PayerQuestions, type CancelQuestion } from '../inquiry/payer-questions.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { LeaseWaiter } from '../lease/lease-waiter.js';
import type { Outcome } from './outcome.js';
import { paymentSnapshot } from '../apply/payment-snapshot.js';

/** A cancellation's idempotency key is in use while it holds the payment's lease, and never longer than this. */
const MAX_CANCEL_MS = 600_000;

type Taken = { replay: PaymentRecord } | { leased: PaymentRecord; key: IdempotencyRecord };

/** Cancels a payment that waits for its payer. The gateway is only asked: it has no call that cancels. */
@Injectable()
export class CancelPayment {
  constructor(
    private readonly store: Store,
    private readonly inquiry: Inquiry,
    private readonly questions: PayerQuestions,
    private readonly keeper: LeaseKeeper,
    private readonly waiter: LeaseWaiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Asks the gateway first. If it says that the payment is paid, held or not paid, that counts. If it still waits for the
   * payer, the payment is canceled. Throws `outcome-unknown`, with nothing changed, where the answer is not clear or the card is
   * being charged, `invalid-state` where the payment does not wait for its payer, and `rate-limited` where the gateway was asked too
   * often.
   */
  async cancel(payment: PaymentRecord, request: KeyedCall): Promise<Outcome> {
    const question = this.questions.cancellation(payment.id, request.actor === 'payer');
    try {
      const attempt = (): Promise<Taken | undefined> => this.tryTakeLease(payment, request, question);
      const taken = await this.waiter.inTurn(payment.id, attempt);
      if ('replay' in taken) return { payment: taken.replay, replayed: true };
      question.asking();
      return await this.decide(taken, request, question);
    } finally {
      question.place?.release();
    }
  }

  private async decide(
    taken: Exclude<Taken, { replay: PaymentRecord }>,
    request: KeyedCall,
    { place }: CancelQuestion,
  ): Promise<Outcome> {
    const idempotency = { scope: request.scope, key: request.key };
    const asked = await this.inquiry.askHolding(taken.leased, {
      idempotency,
      place,
      conclude: (reading, inquiry, result) =>
        endsByCancel(reading, inquiry.payment, result) ? canceled(inquiry, request.actor) : undefined,
      // Without a clear answer nothing was done, so the key may be used again.
      end: (after) =>
        isUndecided(after)
          ? { releaseIdempotency: idempotency }
          : { idempotency: { ...taken.key, runningUntil: null } },
    });
    if (!isUndecided(asked)) return { payment: asked.payment, replayed: false };
    throw new Problem(
      'outcome-unknown',
      'The gateway has not said what came of the payment; it is still live.',
      {
        paymentId: taken.leased.id,
      },
    );
  }

  /**
   * Keeps the key and takes the payment's lease in one write, so that a key in use always has a cancellation at work.
   * Undefined where another request holds the lease.
   */
  private tryTakeLease(
    payment: PaymentRecord,
    request: KeyedRequest,
    question: CancelQuestion,
  ): Promise<Taken | undefined> {
    const secretKeys = this.config.keys.secretKeys.current();
    const { reference, sessionId, id: paymentId } = payment;
    const wanted = {
      reference,
      sessionId,
      paymentId,
      idempotency: { scope: request.scope, key: request.key },
    };
    return this.store.writer.write<Taken | undefined>(wanted, (snapshot) => {
      const now = this.store.clock.now();
      const rows = paymentSnapshot(snapshot);
      const cancelable = isCancelable(rows.payment);
      const kept = snapshot.idempotency;
      const known = kept && !hasExpired(kept, now) ? this.endedWithLease(kept, rows.payment, now) : undefined;
      const replay = isReplay(known, snapshot.keyedOperation, request, secretKeys, now);
      // A request that died halfway may have canceled the payment before it died. The payment's status says so.
      if (replay || (known && !cancelable)) return { changes: {}, result: { replay: rows.payment } };
      if (!cancelable) {
        throw new Problem(
          'invalid-state',
          `A payment that is ${rows.payment.status} cannot be canceled now.`,
        );
      }
      question.assertMayAsk();
      const changes = this.inquiry.lease(snapshot);
      if (!changes) return { changes: {}, result: undefined };
      const made = {
        sessionId,
        paymentId,
        runningUntil: now + MAX_CANCEL_MS,
        sessionExpiresAt: rows.session.expiresAt,
      };
      const key = keepKey(request, secretKeys, made, now);
      return { changes: { ...changes, idempotency: key }, result: { leased: changes.payment, key } };
    });
  }

  /** The key as ended once its payment's lease is free: the cancellation that used it is over, even if its process died. */
  private endedWithLease(key: IdempotencyRecord, payment: PaymentRecord, now: number): IdempotencyRecord {
    const ended = key.runningUntil !== null && !this.keeper.isTaken(payment, now);
    return ended ? { ...key, runningUntil: 0 } : key;
  }
}
