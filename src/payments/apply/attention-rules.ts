import type { PaymentRecord } from '../../store/schema.js';
import { holdNeedsAttentionAt, type Attention } from '../state/attention.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** After this time without a conclusive answer, the payment needs attention. */
const ATTENTION_AFTER = 72 * 3_600_000;

/** The reasons that the service finds by itself. No later answer about the amount removes one of the last two. */
const NO_CONCLUSIVE_ANSWER = 'no_conclusive_answer';
const HOLD_LEFT_ALONE = 'hold_left_alone';
const MONEY_AFTER_RESOLVE = 'money_after_resolve';

/**
 * Why a person must look at a payment after an update, which is already part of it: an answer that cannot be, the
 * gateway's word against a person's, a hold that nobody settles, or no conclusive answer for too long. Undefined where
 * there is no reason. Pure.
 */
export function attentionOf(
  payment: PaymentRecord,
  update: PaymentUpdate,
  { late, at }: { late: boolean; at: number },
): Attention | undefined {
  if (update.resolved) return undefined;
  if (update.attention) return update.attention;
  if (late && payment.resolvedAt !== null && payment.status !== 'voided')
    return { reason: MONEY_AFTER_RESOLVE };
  const lookAt = holdNeedsAttentionAt(payment);
  if (lookAt !== undefined && at >= lookAt) return { reason: HOLD_LEFT_ALONE };
  const { openSince } = payment;
  const overdue = !update.conclusive && openSince !== null && at - openSince >= ATTENTION_AFTER;
  return overdue ? { reason: NO_CONCLUSIVE_ANSWER } : undefined;
}

/** Whether an update, which is already part of the payment, removes the reason for its attention. Pure. */
export function isAttentionOver(payment: PaymentRecord, update: PaymentUpdate): boolean {
  if (update.resolved) return true;
  switch (payment.attentionReason) {
    case HOLD_LEFT_ALONE:
      return payment.status !== 'authorized';
    case MONEY_AFTER_RESOLVE:
      return payment.status === 'voided';
    case NO_CONCLUSIVE_ANSWER:
      return Boolean(update.liftAttention) || Boolean(update.conclusive);
    default:
      return Boolean(update.liftAttention);
  }
}
