import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import { isReplay, keepKey } from '../../idempotency/idempotency.js';
import type { KeyedCall } from '../../sessions/keyed-call.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { Applier } from '../apply/applier.js';
import { paymentSnapshot } from '../apply/payment-snapshot.js';
import {
  interpretRefundResolution,
  interpretResolution,
  type RefundResolution,
  type Resolution,
} from '../interpret/interpret-resolution.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { disputedAnswer, reasonOf } from '../state/attention.js';
import type { Outcome } from './outcome.js';

/** Records what a person has decided about a payment that needs attention. Nothing is sent to the gateway. */
@Injectable()
export class ResolvePayment {
  constructor(
    private readonly store: Store,
    private readonly applier: Applier,
    private readonly keeper: LeaseKeeper,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Throws `invalid-state` where the payment needs no attention, or where the resolution does not fit it. One that names a refund
   * settles just that, whether the payment needs attention or not.
   */
  async resolve(
    payment: PaymentRecord,
    resolution: Resolution | RefundResolution,
    request: KeyedCall,
  ): Promise<Outcome> {
    const secretKeys = this.config.keys.secretKeys.current();
    const { reference, sessionId, id: paymentId } = payment;
    const wanted = {
      reference,
      sessionId,
      paymentId,
      settledRefunds: 'refundId' in resolution,
      idempotency: { scope: request.scope, key: request.key },
    };
    return this.store.writer.write<Outcome>(wanted, (snapshot) => {
      const rows = paymentSnapshot(snapshot);
      const now = this.store.clock.now();
      if (isReplay(snapshot.idempotency, snapshot.keyedOperation, request, secretKeys, now)) {
        return { changes: {}, result: { payment: rows.payment, replayed: true } };
      }
      assertSecondPerson(rows.payment, resolution, request.actor);
      const seen = { ...rows, ownerGone: !this.keeper.isTaken(rows.payment, now) };
      const changes = this.applier.changes(snapshot, {
        ...('refundId' in resolution
          ? interpretRefundResolution(resolution, seen)
          : interpretResolution(resolution, seen)),
        actor: request.actor,
      });
      // What still needs attention is not settled.
      const settled = changes.payment.needsAttention
        ? undefined
        : disputedAnswer(rows.payment.attentionReason);
      const settledAnswer = settled ?? rows.payment.settledAnswer;
      const resolved = { ...changes.payment, settledAnswer };
      const made = { sessionId, paymentId, sessionExpiresAt: rows.session.expiresAt };
      return {
        changes: { ...changes, payment: resolved, idempotency: keepKey(request, secretKeys, made, now) },
        result: { payment: resolved, replayed: false },
      };
    });
  }
}

/**
 * A payment that a report and one person have claimed is made paid by the gateway, or by another person with a key of their own. Throws
 * `forbidden`.
 */
function assertSecondPerson(
  { attentionReason }: PaymentRecord,
  resolution: Resolution | RefundResolution,
  actor: string,
): void {
  if (reasonOf(attentionReason) !== 'adopted_on_word') return;
  if ('refundId' in resolution || resolution.status !== 'succeeded') return;
  if (actor.startsWith('merchant:') && actor !== disputedAnswer(attentionReason)) return;
  throw new Problem(
    'forbidden',
    'The gateway has not confirmed this payment. Somebody with another named key must confirm it.',
  );
}
