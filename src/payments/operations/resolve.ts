import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import { KeyedWriter } from '../../idempotency/keyed-writer.js';
import type { KeyedCall } from '../../auth/keyed-call.js';
import type { PaymentRecord } from '../../store/schema.js';
import { newText } from '../../store/written-texts.js';
import { Applier, paymentSnapshot } from '../apply/applier.js';
import type { Applied } from '../apply/apply.js';
import {
  interpretRefundResolution,
  interpretResolution,
  type RefundResolution,
  type Resolution,
} from '../interpret/interpret-resolution.js';
import { cleanMessage } from '../interpret/payer-message.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { disputedAnswer, needsFor, settledAnswer } from '../state/attention.js';
import type { Outcome } from './command.js';

/** Records what a person has decided about a payment that needs attention. Nothing is sent to the gateway. */
@Injectable()
export class ResolvePayment {
  constructor(
    private readonly keyed: KeyedWriter,
    private readonly applier: Applier,
    private readonly keeper: LeaseKeeper,
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
    const { reference, sessionId, id: paymentId } = payment;
    const wanted = { reference, sessionId, paymentId, settledRefunds: 'refundId' in resolution };
    const { actor } = request;
    return this.keyed.write<Outcome>(request, wanted, {
      replay: (snapshot) => {
        const { payment: stored } = paymentSnapshot(snapshot);
        return { payment: stored, replayed: true };
      },
      decide: (snapshot, now) => {
        const rows = paymentSnapshot(snapshot);
        assertSecondPerson(rows.payment, resolution, actor);
        const seen = { ...rows, ownerGone: !this.keeper.isTaken(rows.payment, now) };
        const update =
          'refundId' in resolution
            ? interpretRefundResolution(resolution, seen)
            : interpretResolution(resolution, seen);
        const changes = this.applier.changes(snapshot, { ...update, actor });
        const resolved = {
          ...changes.payment,
          settledAnswer: settledAnswer(rows.payment, changes.payment),
        };
        const noted = withNote(changes, resolution.note, actor);
        return {
          changes: { ...noted, payment: resolved },
          result: { payment: resolved, replayed: false },
          made: { sessionId, paymentId, sessionExpiresAt: rows.session.expiresAt },
        };
      },
    });
  }
}

/** The changes with the note as what the entries of the ledger say of it. */
function withNote(changes: Applied, note: string, actor: string): Applied {
  const { movements, payment } = changes;
  if (movements.length === 0) return changes;
  const text = newText(cleanMessage(note, []) ?? '', actor, payment.id, payment.updatedAt);
  return { ...changes, texts: [text], movements: movements.map((one) => ({ ...one, textId: text.id })) };
}

/**
 * A payment that a report and one person have claimed is made paid by the gateway, or by another person with a key of their own. Throws
 * `forbidden`.
 */
function assertSecondPerson(
  payment: PaymentRecord,
  resolution: Resolution | RefundResolution,
  actor: string,
): void {
  if (!needsFor(payment, 'adopted_on_word')) return;
  if ('refundId' in resolution || resolution.status !== 'succeeded') return;
  if (actor.startsWith('merchant:') && actor !== disputedAnswer(payment, 'adopted_on_word')) return;
  throw new Problem(
    'forbidden',
    'The gateway has not confirmed this payment. Somebody with another named key must confirm it.',
  );
}
