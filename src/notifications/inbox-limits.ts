/**
 * How much of what comes in is kept. A reference can be guessed, so without a secret anybody can send notifications about
 * anything: whatever they send, the store, the gateway and the payers must not notice. `docs/security.md` adds these up.
 */

/** Notifications that name no payment of ours: so many are kept, the oldest go first. */
export const MAX_UNMATCHED = 10_000;
/** Bytes that are kept of each of them. */
export const UNMATCHED_CONTENT_BYTES = 4_096;
/** Notifications that are kept about one payment, the newest. */
export const MAX_PER_PAYMENT = 50;

export interface ContentLimits {
  /** Bytes that are kept of one notification. */
  each: number;
  /** Bytes that are kept of all about one payment: beyond it the oldest ones' contents go, and that they came stays. */
  perPayment: number;
}

/** Of notifications that carried the secret, or its signature: the gateway's own. */
const AUTHENTICATED_CONTENT: ContentLimits = { each: 256 * 1024, perPayment: 1024 * 1024 };
/** Of notifications that anybody may have sent. */
const ANONYMOUS_CONTENT: ContentLimits = { each: 16 * 1024, perPayment: 64 * 1024 };

/** What is kept of notifications about payments. */
export function contentLimits(authenticated: boolean): ContentLimits {
  return authenticated ? AUTHENTICATED_CONTENT : ANONYMOUS_CONTENT;
}

/**
 * Anonymous notifications from one address and minute whose content is kept. Beyond it, one about a payment still makes the
 * gateway be asked, and one about nothing of ours is only counted.
 */
export const MATCHED_PER_MINUTE = 300;
export const UNMATCHED_PER_MINUTE = 60;

/** Questions in any second that anonymous notifications may cause, in one process. */
export const ANONYMOUS_QUESTIONS_PER_SECOND = 10;
