import type { PaymentRecord } from '../../store/schema.js';

const HOUR = 3_600_000;
/** A hold that nobody has completed or voided by then needs attention: most issuers let it lapse after seven days. */
const HOLD_ATTENTION_AFTER = 6 * 24 * HOUR;

/** Why a person must look: a stable reason and, where an answer of the gateway caused it, that answer in short. */
export interface Attention {
  reason: string;
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
