import type { PaymentRecord } from '../../store/schema.js';
import { isBeingCharged } from '../state/being-charged.js';
import { holdNeedsAttentionAt, reasonOf, type Attention } from '../state/attention.js';
import { holdsMoney } from '../state/money-held.js';
import type { PaymentUpdate } from '../state/payment-update.js';

const HOUR = 3_600_000;
/** After this time without a conclusive answer, the payment needs attention. */
const ATTENTION_AFTER = 72 * HOUR;
/** The same while a card is being charged: only a person can free the order then, and its payer waits. */
const CHARGED_ATTENTION_AFTER = 2 * HOUR;

/**
 * Why a person must look at a payment after an update, which is already part of it: an answer that cannot be, the
 * gateway's word against a person's, a void that may have been done after all beside another paid payment (`voidDenied`), or the time
 * that has passed. Undefined where there is no reason. Pure.
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
  return attentionByTime(update.conclusive ? { ...payment, openSince: null } : payment, at);
}

/**
 * Why a person must look at a payment because of the time that has passed, also where nobody could ask about it: a hold that
 * nobody settles, a card that is being charged for too long, or no conclusive answer for too long. Pure.
 */
export function attentionByTime(payment: PaymentRecord, at: number): Attention | undefined {
  const lookAt = holdNeedsAttentionAt(payment);
  if (lookAt !== undefined && at >= lookAt) return { reason: 'hold_left_alone' };
  const { openSince } = payment;
  if (openSince === null) return undefined;
  if (isBeingCharged(payment) && at - openSince >= CHARGED_ATTENTION_AFTER)
    return { reason: 'being_charged' };
  return at - openSince >= ATTENTION_AFTER ? { reason: 'no_conclusive_answer' } : undefined;
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
      // While the gateway only lets it wait, nothing but a person's word says that it was ever made.
      return payment.status !== 'processing' && Boolean(update.conclusive);
    case 'being_charged':
      return !isBeingCharged(payment);
    case 'no_conclusive_answer':
      return Boolean(update.liftAttention) || Boolean(update.conclusive);
    default:
      return Boolean(update.liftAttention);
  }
}

/**
 * Whether an update is what a settlement report has claimed. The attention says which report and row, the kind of the difference and,
 * of money that went back, how much in minor units: without it no answer can tell.
 */
function isReportConfirmed(
  { status, attentionReason, amountRefunded, disputed, amountDisputed }: PaymentRecord,
  update: PaymentUpdate,
): boolean {
  const [, , , , kind, sum = ''] = attentionReason?.split(' ') ?? [];
  const claimed = sum === '' ? undefined : BigInt(sum);
  switch (kind) {
    case 'refund_unknown_here':
      if (status === 'voided') return true;
      return update.refunded !== undefined && claimed !== undefined && (amountRefunded ?? 0n) >= claimed;
    case 'chargeback_unknown_here':
      return disputed && claimed !== undefined && (amountDisputed ?? claimed) >= claimed;
    default:
      return status === 'succeeded';
  }
}
