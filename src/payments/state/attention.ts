import type { PaymentRecord } from '../../store/schema.js';

const HOUR = 3_600_000;
/** A hold that nobody has completed or voided by then needs attention: most issuers let it lapse after seven days. */
const HOLD_ATTENTION_AFTER = 6 * 24 * HOUR;

/**
 * Why a person must look. The words are kept in payments' rows and stand in the runbook, which explains each, so they never
 * change.
 */
export const ATTENTION_REASONS = [
  'mismatch',
  'contradicting_answer',
  'hold_beside_another_payment',
  'no_conclusive_answer',
  'hold_left_alone',
  'money_after_resolve',
  'unlisted_word',
  'refund_unclear',
  'refund_of_unpaid',
  'refund_beside_operation',
  'refund_doubtful',
  'refund_contradicted',
  'void_denied',
  'duplicate_not_voided',
  'charged_back_after_refund',
  'dispute_contradicted',
  'report_unconfirmed',
  'adopted_on_word',
] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** Why a person must look: a stable reason and, where an answer of the gateway caused it, that answer in short. */
export interface Attention {
  reason: AttentionReason;
  answer?: string;
}

/** Attention as a payment's row stores it: the reason, a space, the answer. */
export function writeAttention({ reason, answer }: Attention): string {
  return answer === undefined ? reason : `${reason} ${answer}`;
}

/** The answer that stored attention is about; undefined where no answer caused it. */
export function disputedAnswer(attentionReason: string | null): string | undefined {
  const blank = attentionReason?.indexOf(' ') ?? -1;
  return blank < 0 ? undefined : attentionReason?.slice(blank + 1);
}

/** When a hold that nobody has settled by then needs attention; undefined where nothing is held. Pure. */
export function holdNeedsAttentionAt({ status, heldSince, createdAt }: PaymentRecord): number | undefined {
  return status === 'authorized' ? (heldSince ?? createdAt) + HOLD_ATTENTION_AFTER : undefined;
}

/** The reason alone of stored attention. */
export function reasonOf(attentionReason: string | null): AttentionReason | undefined {
  return attentionReason?.split(' ', 1)[0] as AttentionReason | undefined;
}

/** Reasons that only a person or an answer that makes them clear removes, and those that any clear answer removes. */
const RANK: Readonly<Partial<Record<AttentionReason, number>>> = {
  refund_unclear: 2,
  refund_beside_operation: 2,
  refund_of_unpaid: 2,
  refund_doubtful: 2,
  refund_contradicted: 2,
  void_denied: 2,
  charged_back_after_refund: 2,
  dispute_contradicted: 2,
  duplicate_not_voided: 0,
  money_after_resolve: 2,
  unlisted_word: 0,
  no_conclusive_answer: 0,
};

/** Whether a new reason takes the place of the stored one. A lesser one does not, for lifting it would lift both. */
export function replaces(attention: Attention, stored: string | null): boolean {
  const rank = (reason: AttentionReason | undefined): number => (reason && RANK[reason]) ?? 1;
  return rank(attention.reason) >= rank(reasonOf(stored));
}
