/** Why a person must look: a stable word and, where the gateway's answer caused it, that answer's summary. */
export interface Attention {
  reason: string;
  answer?: string;
}

/** Attention as a payment's row keeps it: the word, a blank, the answer. */
export function writeAttention({ reason, answer }: Attention): string {
  return answer === undefined ? reason : `${reason} ${answer}`;
}

/** The answer that a kept attention is about, where one caused it. */
export function disputedAnswer(attentionReason: string | null): string | undefined {
  const blank = attentionReason?.indexOf(' ') ?? -1;
  return blank < 0 ? undefined : attentionReason?.slice(blank + 1);
}
