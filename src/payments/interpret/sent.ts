/** What a payer sent to the gateway with one call. It is removed from the gateway's answer. */
export interface Sent {
  /** Removed from messages that a payer reads. */
  readonly words: readonly string[];
  /**
   * Card number, cvv, PIN, one-time code, the name on the card, and an e-mail address or telephone number that came
   * with this call only. Any field that repeats one is not stored or passed on.
   */
  readonly secrets: readonly string[];
}

/** For a call that carries nothing of the payer. */
export const NOTHING_SENT: Sent = { words: [], secrets: [] };
