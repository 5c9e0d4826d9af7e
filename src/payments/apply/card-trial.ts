import { methodOf } from '../../methods/methods.js';
import type { DeclineRecord, PaymentRecord } from '../../store/schema.js';
import { isClosedUnpaid } from '../state/payment-state.js';

/** The weights, in halves of a decline. */
const DECLINE = 2;
const ABANDONED = 1;

/** Actions that only the payer can take. An unfamiliar action does not count against anybody. */
const CHALLENGES: ReadonlySet<string> = new Set(['otp', 'pin', 'redirect']);

/** A payment before and after a move. */
export interface Moved {
  before: PaymentRecord;
  payment: PaymentRecord;
}

/** Whether the issuer has just declined the payment's card. */
export function isIssuerDecline({ before, payment }: Moved): boolean {
  return (
    methodOf(payment.method).countsDeclines &&
    payment.status === 'failed' &&
    before.status !== 'failed' &&
    payment.failure?.code === 'declined'
  );
}

/**
 * How strongly a move suggests that somebody is testing stolen cards. A card that its issuer declined or the gateway
 * rejected counts in full, an abandoned challenge counts half. An unavailable, busy or unclear gateway counts for
 * nothing, and so does a payment that a person closed.
 */
export function trialWeight(moved: Moved): number {
  const { before, payment } = moved;
  if (!methodOf(payment.method).countsDeclines || payment.status === before.status) return 0;
  const challenge = before.status === 'requires_action' ? before.nextAction?.type : undefined;
  const challenged = challenge !== undefined && CHALLENGES.has(challenge);
  if (challenged && (payment.status === 'canceled' || payment.status === 'expired')) return ABANDONED;
  if (payment.status !== 'failed') return 0;
  if (payment.failure?.code === 'gateway_rejected') return DECLINE;
  if (payment.failure?.code !== 'declined') return 0;
  // Without a code from the payer the issuer declined because nobody answered. After a bank's page nobody here knows.
  const unanswered = challenged && challenge !== 'redirect' && payment.otpsSent + payment.pinsSent === 0;
  return unanswered ? ABANDONED : DECLINE;
}

/** The row that records it; undefined where it does not count or nobody can be named. */
export function trialOf(moved: Moved): Omit<DeclineRecord, 'at'> | undefined {
  const weight = trialWeight(moved);
  const { id, addressFingerprint, networkFingerprint, cardFingerprint } = moved.payment;
  if (weight === 0 || addressFingerprint === null || cardFingerprint === null) return undefined;
  return { id, addressFingerprint, networkFingerprint, cardFingerprint, weight };
}

/** Whether a failed payment turned out to be paid or held after all. Then it was no card test. */
export function isVindicated({ before, payment }: Moved): boolean {
  return (
    methodOf(payment.method).countsDeclines &&
    isClosedUnpaid(before.status) &&
    !isClosedUnpaid(payment.status)
  );
}
