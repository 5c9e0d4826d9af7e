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
