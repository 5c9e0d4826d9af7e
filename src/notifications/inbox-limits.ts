/**
 * How much of the incoming notifications is kept. References can be guessed, so without a secret anybody can send
 * notifications about anything. Such a flood must not harm the store, the gateway or the payers. `docs/security.md`
 * adds these limits up.
 */

/** How many notifications are kept that name no payment of ours. The oldest are removed first. */
export const MAX_UNMATCHED = 10_000;
/** Bytes that are kept of each of those. */
export const UNMATCHED_CONTENT_BYTES = 4_096;
/** How many notifications are kept about one payment: the newest. */
export const MAX_PER_PAYMENT = 50;

export interface ContentLimits {
  /** Bytes that are kept of one notification. */
  each: number;
  /**
   * Bytes that are kept of all notifications about one payment. Beyond it the contents of the oldest are removed, and
   * only the fact that they came stays.
   */
  perPayment: number;
}

/** For notifications with the secret or its signature: the gateway's own. */
const AUTHENTICATED_CONTENT: ContentLimits = { each: 256 * 1024, perPayment: 1024 * 1024 };
/** For notifications that anybody may have sent. */
const ANONYMOUS_CONTENT: ContentLimits = { each: 16 * 1024, perPayment: 64 * 1024 };

/** What is kept of notifications about payments. */
export function contentLimits(authenticated: boolean): ContentLimits {
  return authenticated ? AUTHENTICATED_CONTENT : ANONYMOUS_CONTENT;
}

/**
 * How many anonymous notifications from one address are kept with their content, per minute. Beyond it, one about a
 * payment still triggers a status check, and one that matches no payment is only counted.
 */
export const MATCHED_PER_MINUTE = 300;
export const UNMATCHED_PER_MINUTE = 60;
