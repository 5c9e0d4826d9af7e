import { Injectable } from '@nestjs/common';
import { decided, type Asked } from '../../approvals/approval.js';
import { isApprovalId } from '../../approvals/approvals.js';
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
import type { PaymentUpdate } from '../state/payment-update.js';
import { AskApproval } from '../apply/ask-approval.js';
import type { Approved, Outcome } from './command.js';

/** Records what a person has decided about a payment that needs attention. Nothing is sent to the gateway. */
@Injectable()
export class ResolvePayment {
  constructor(
    private readonly keyed: KeyedWriter,
    private readonly applier: Applier,
    private readonly keeper: LeaseKeeper,
    private readonly approvals: AskApproval,
  ) {}

  /**
   * Throws `invalid-state` where the payment needs no attention, or where the resolution does not fit it. One that names a refund
   * settles just that, whether the payment needs attention or not. Above the bound, one that makes the payment paid waits for an
   * approval; with `approved` it is the one that was asked for before, in whose name it is recorded. What a report claimed is on its word.
   */
  async resolve(
    payment: PaymentRecord,
    resolution: Resolution | RefundResolution,
    request: KeyedCall,
    approved?: Approved & { readonly askedBy: string; readonly source?: PaymentUpdate['source'] },
  ): Promise<Outcome> {
    const { reference, sessionId, id: paymentId } = payment;
    const wanted = {
      ...{ reference, sessionId, paymentId, settledRefunds: 'refundId' in resolution },
      approvalId: approved?.id,
    };
    const actor = approved?.askedBy ?? request.actor;
    return this.keyed.write<Outcome>(request, wanted, {
      replay: (snapshot) => {
        const made = snapshot.idempotency?.operationId;
        const { payment: stored } = paymentSnapshot(snapshot);
        return { payment: stored, replayed: true, ...(isApprovalId(made) && { approvalId: made }) };
      },
      decide: (snapshot, now) => {
        const decision = approved && decided(snapshot.approval, 'approved', approved.by, now);
        const rows = paymentSnapshot(snapshot);
        assertSecondPerson(rows.payment, resolution, request.actor);
        const seen = { ...rows, ownerGone: !this.keeper.isTaken(rows.payment, now) };
        const update =
          'refundId' in resolution
            ? interpretRefundResolution(resolution, seen)
            : interpretResolution(resolution, seen);
        const asked = decision ? undefined : this.asked(resolution, update, rows.payment, actor);
        if (asked) {
          const { changes, waits: approvalId, made } = this.approvals.rows(rows, { asked }, now);
          return { changes, result: { payment: rows.payment, replayed: false, approvalId }, made };
        }
        const changes = this.applier.changes(snapshot, {
          ...update,
          actor,
          ...(approved?.source && { source: approved.source }),
        });
        const resolved = {
          ...changes.payment,
          settledAnswer: settledAnswer(rows.payment, changes.payment),
        };
        const noted = withNote(changes, resolution.note, actor);
        return {
          changes: {
            ...noted,
            payment: resolved,
            ...(decision && {
              texts: [...decision.texts, ...(noted.texts ?? [])],
              approval: { ...decision.approval, doneAt: now },
            }),
          },
          result: { payment: resolved, replayed: false },
          made: { sessionId, paymentId, sessionExpiresAt: rows.session.expiresAt },
        };
      },
    });
  }

  /** What another person must approve first; undefined where nobody must. */
  private asked(
    resolution: Resolution | RefundResolution,
    { captured }: PaymentUpdate,
    payment: PaymentRecord,
    actor: string,
  ): Asked | undefined {
    if ('refundId' in resolution || resolution.status !== 'succeeded') return undefined;
    const { amountReceived, note: text } = resolution;
    // Whoever resolves what somebody else has taken over is the second person, unless they say something else than that one.
    if (needsFor(payment, 'adopted_on_word') && amountReceived === undefined) return undefined;
    const { currency } = payment;
    const amount = captured ?? payment.amountCaptured ?? payment.amount;
    // Whoever says that only a part came makes the whole order paid.
    const bound = amount > payment.amount ? amount : payment.amount;
    if (!this.approvals.isNeeded(bound, currency)) return undefined;
    const wanted: Record<string, string> =
      amountReceived === undefined ? {} : { amountReceived: amountReceived.toString() };
    return { kind: 'resolve', amount, currency, wanted, actor, text };
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
