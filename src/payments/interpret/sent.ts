/** What a payer sent to the gateway with one call; it is taken out of what the gateway says. */
export interface Sent {
  /** Taken out of the words that a payer reads. */
  readonly words: readonly string[];
  /**
   * Card number, cvv, PIN, one-time code, the name on the card, and an e-mail address and telephone that only this call brought: what repeats one is neither kept nor
   * handed on.
   */
  readonly secrets: readonly string[];
}

/** Of a call that brings nothing of the payer. */
export const NOTHING_SENT: Sent = { words: [], secrets: [] };
