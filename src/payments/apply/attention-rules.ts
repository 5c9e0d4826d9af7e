import type { PaymentRecord } from '../../store/schema.js';
import { isBeingCharged, isAnnouncedDuplicate } from '../state/payment-state.js';
import { holdNeedsAttentionAt, type Attention, type AttentionReason } from '../state/attention.js';
import { holdsMoney, takenBackTwice } from '../state/money-held.js';
import type { PaymentUpdate } from '../state/payment-update.js';

const HOUR = 3_600_000;
/** After this time without a conclusive answer, the payment needs attention. */
const ATTENTION_AFTER = 72 * HOUR;
/** The same while a card is being charged: only a person can free the order then, and its payer waits. */
const CHARGED_ATTENTION_AFTER = 2 * HOUR;

/** What an update did besides, as far as a person must look because of it. */
interface Deed {
  /** The payment before it. */
  before: PaymentRecord;
  /** The payment was paid after it had been closed unpaid. */
  late: boolean;
  at: number;
  /** Whether duplicates are voided. */
  voidDuplicates: boolean;
  /** A void was given up because answers went on denying it, while another payment of the order holds money. */
  voidDenied: boolean;
}

/**
 * Why a person must look at a payment after an update, which is already part of it: an answer that cannot be, the
 * gateway's word against a person's, more that went back than was taken, a void that may have been done after all, a duplicate that the
 * policy never voids because the shop was told that it pays, or the time that has passed. Pure.
 */
export function attentionOf(payment: PaymentRecord, update: PaymentUpdate, deed: Deed): Attention[] {
  if (update.resolved) return [];
  const { before, late, at, voidDuplicates, voidDenied } = deed;
  const contradicted = late && payment.resolvedAt !== null && payment.status !== 'voided';
  const isKept = voidDuplicates && isAnnouncedDuplicate(payment) && !isAnnouncedDuplicate(before);
  const beyond = payment.status === 'succeeded' && takenBackTwice(payment) > takenBackTwice(before);
  const found = [
    update.attention,
    beyond && attention('charged_back_after_refund'),
    voidDuplicates && voidDenied && attention('void_denied'),
    isKept && attention('duplicate_not_voided', payment.duplicateOf),
    contradicted && attention('money_after_resolve'),
    attentionByTime(update.conclusive ? { ...payment, openSince: null } : payment, at),
  ];
  return found.filter((one) => one !== undefined && one !== false);
}

function attention(reason: AttentionReason, answer: string | null = null): Attention {
  return { reason, ...(answer !== null && { answer }) };
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
 * Whether an update, which is already part of the payment, removes a reason for its attention. No answer about the amount
 * removes that a hold is left alone or that money came after a person's word. Pure.
 */
export function isAttentionOver(
  attention: Attention,
  payment: PaymentRecord,
  update: PaymentUpdate,
): boolean {
  if (update.resolved) return true;
  const isLifted = update.lifts?.includes(attention.reason) ?? false;
  switch (attention.reason) {
    case 'hold_left_alone':
      return payment.status !== 'authorized';
    case 'hold_beside_another_payment':
      // Answers that repeat the hold do not make it less of one.
      return payment.status !== 'authorized' && (update.move !== undefined || isLifted);
    case 'money_after_resolve':
    case 'void_denied':
      return payment.status === 'voided';
    case 'duplicate_not_voided':
      return payment.duplicateOf === null || !holdsMoney(payment);
    case 'charged_back_after_refund':
      return takenBackTwice(payment) === 0n;
    case 'dispute_contradicted':
      return !payment.disputed || update.disputed === true;
    case 'report_unconfirmed':
      return isReportConfirmed(attention, payment, update);
    case 'adopted_on_word':
      // While the gateway only lets it wait, nothing but a person's word says that it was ever made.
      return payment.status !== 'processing' && Boolean(update.conclusive);
    case 'adopted_other_amount':
      return isGivenBack(payment);
    case 'being_charged':
      return !isBeingCharged(payment);
    case 'no_conclusive_answer':
      return isLifted || Boolean(update.conclusive);
    default:
      return isLifted;
  }
}

/** Whether its money went back: it pays no order any more, of whatever amount. */
function isGivenBack(payment: PaymentRecord): boolean {
  return payment.status === 'voided' || (payment.status === 'succeeded' && !holdsMoney(payment));
}

/**
 * Whether an update is what a settlement report has claimed. The attention says which report and row, the kind of the difference and,
 * of money that went back, how much in minor units: without it no answer can tell.
 */
function isReportConfirmed(
  { answer }: Attention,
  { status, amountRefunded, disputed, amountDisputed }: PaymentRecord,
  update: PaymentUpdate,
): boolean {
  const [, , , kind, sum = ''] = answer?.split(' ') ?? [];
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
