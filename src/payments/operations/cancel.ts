import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import { KeyedWriter } from '../../idempotency/keyed-writer.js';
import type { KeyedCall } from '../../auth/keyed-call.js';
import type { Snapshot } from '../../store/payment-writer.js';
import type { IdempotencyRecord, PaymentRecord } from '../../store/schema.js';
import { isCancelable, isUndecided } from '../interpret/interpret-cancellation.js';
import { Inquiry } from '../inquiry/inquiry.js';
import { PayerQuestions, type CancelQuestion } from '../inquiry/payer-questions.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { LeaseWaiter } from '../lease/lease-waiter.js';
import type { Outcome } from './command.js';
import { paymentSnapshot } from '../apply/applier.js';

/** A cancellation's idempotency key is in use while it holds the payment's lease, and never longer than this. */
const MAX_CANCEL_MS = 600_000;

type Taken = { replay: PaymentRecord } | { leased: PaymentRecord };

/** Cancels a payment that waits for its payer. The gateway is only asked: it has no call that cancels. */
@Injectable()
export class CancelPayment {
  constructor(
    private readonly keyed: KeyedWriter,
    private readonly inquiry: Inquiry,
    private readonly questions: PayerQuestions,
    private readonly keeper: LeaseKeeper,
    private readonly waiter: LeaseWaiter,
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
      const { actor, scope, key } = request;
      const asked = await this.inquiry.askHolding(taken.leased, {
        place: question.place,
        cancel: { actor, key: { scope, key } },
      });
      if (!isUndecided(asked)) return { payment: asked.payment, replayed: false };
      throw new Problem(
        'outcome-unknown',
        'The gateway has not said what came of the payment; it is still live.',
        { paymentId: payment.id },
      );
    } finally {
      question.place?.release();
    }
  }

  /**
   * Keeps the key and takes the payment's lease in one write, so that a key in use always has a cancellation at work.
   * Undefined where another request holds the lease.
   */
  private tryTakeLease(
    payment: PaymentRecord,
    request: KeyedCall,
    question: CancelQuestion,
  ): Promise<Taken | undefined> {
    const { reference, sessionId, id: paymentId } = payment;
    const replay = (snapshot: Snapshot): Taken => ({ replay: paymentSnapshot(snapshot).payment });
    return this.keyed.write<Taken | undefined>(
      request,
      { reference, sessionId, paymentId },
      {
        replay,
        standing: (kept, snapshot, now) => this.endedWithLease(kept, paymentSnapshot(snapshot).payment, now),
        decide: (snapshot, now, known) => {
          const rows = paymentSnapshot(snapshot);
          const { status } = rows.payment;
          if (!isCancelable(rows.payment)) {
            // A request that died halfway may have canceled the payment before it died. The payment's status says so.
            if (known) return { changes: {}, result: replay(snapshot) };
            throw new Problem('invalid-state', `A payment that is ${status} cannot be canceled now.`);
          }
          question.assertMayAsk();
          const changes = this.inquiry.lease(snapshot);
          if (!changes) return { changes: {}, result: undefined };
          const runningUntil = now + MAX_CANCEL_MS;
          return {
            changes,
            result: { leased: changes.payment },
            made: { sessionId, paymentId, runningUntil, sessionExpiresAt: rows.session.expiresAt },
          };
        },
      },
    );
  }

  /** The key as ended once its payment's lease is free: the cancellation that used it is over, even if its process died. */
  private endedWithLease(key: IdempotencyRecord, payment: PaymentRecord, now: number): IdempotencyRecord {
    const ended = key.runningUntil !== null && !this.keeper.isTaken(payment, now);
    return ended ? { ...key, runningUntil: 0 } : key;
  }
}
