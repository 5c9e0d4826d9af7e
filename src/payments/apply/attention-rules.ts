import type { PaymentRecord } from '../../store/schema.js';
import { holdNeedsAttentionAt, reasonOf, type Attention } from '../state/attention.js';
import { holdsMoney } from '../state/money-held.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** After this time without a conclusive answer, the payment needs attention. */
const ATTENTION_AFTER = 72 * 3_600_000;

/**
 * Why a person must look at a payment after an update, which is already part of it: an answer that cannot be, the
 * gateway's word against a person's, a void that may have been done after all beside another paid payment (`voidDenied`), a
 * hold that nobody settles, or no conclusive answer for too long. Undefined where
 * there is no reason. Pure.
 */
export function attentionOf(
  payment: PaymentRecord,
  update: PaymentUpdate,
  { late, at, voidDenied }: { late: boolean; at: number; voidDenied: boolean },
): Attention | undefined {
  if (update.resolved) return undefined;
  if (update.attention) return update.attention;
  if (voidDenied) return { reason: 'void_denied' };
  if (late && payment.resolvedAt !== null && payment.status !== 'voided')
    return { reason: 'money_after_resolve' };
  const lookAt = holdNeedsAttentionAt(payment);
  if (lookAt !== undefined && at >= lookAt) return { reason: 'hold_left_alone' };
  const { openSince } = payment;
  const overdue = !update.conclusive && openSince !== null && at - openSince >= ATTENTION_AFTER;
  return overdue ? { reason: 'no_conclusive_answer' } : undefined;
}

/**
 * Whether an update, which is already part of the payment, removes the reason for its attention. No answer about the amount
 * removes that a hold is left alone or that money came after a person's word. Pure.
 */
export function isAttentionOver(payment: PaymentRecord, update: PaymentUpdate): boolean {
  if (update.resolved) return true;
  switch (reasonOf(payment.attentionReason)) {
    case 'hold_left_alone':
      return payment.status !== 'authorized';
    case 'hold_beside_another_payment':
      // Answers that repeat the hold do not make it less of one.
      return payment.status !== 'authorized' && Boolean(update.move ?? update.liftAttention);
    case 'money_after_resolve':
    case 'void_denied':
      return payment.status === 'voided';
    case 'duplicate_not_voided':
      return payment.duplicateOf === null || !holdsMoney(payment);
    case 'charged_back_after_refund':
      return !payment.disputed;
    case 'dispute_contradicted':
      return !payment.disputed || update.disputed === true;
    case 'report_unconfirmed':
      return isReportConfirmed(payment, update);
    case 'adopted_on_word':
      // Nothing that is said of it contradicts what the person has said.
      return Boolean(update.conclusive);
    case 'no_conclusive_answer':
      return Boolean(update.liftAttention) || Boolean(update.conclusive);
    default:
      return Boolean(update.liftAttention);
  }
}

/** Whether an update is what a settlement report has claimed. The kind of the claim stands last in the attention. */
function isReportConfirmed(
  { status, attentionReason, disputed }: PaymentRecord,
  update: PaymentUpdate,
): boolean {
  switch (attentionReason?.split(' ').at(-1)) {
    case 'refund_unknown_here':
      return update.refunded !== undefined || status === 'voided';
    case 'chargeback_unknown_here':
      return disputed;
    default:
      return status === 'succeeded';
  }
}
