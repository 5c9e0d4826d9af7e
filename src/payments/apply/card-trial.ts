import { methodOf } from '../../methods/methods.js';
import type { DeclineRecord, PaymentRecord } from '../../store/schema.js';
import { isClosedUnpaid } from '../state/payment-state.js';

/** What counts, in halves of a decline. */
const DECLINE = 2;
const ABANDONED = 1;

/** What only the payer can do. A payment that the gateway wants more of than this service knows is nobody's trial. */
const CHALLENGES: ReadonlySet<string> = new Set(['otp', 'pin', 'redirect']);

/** Where a payment stood, and where it stands now. */
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
 * How much a move tells of somebody who tries cards out: a card that its issuer declined or the gateway rejected, or half as much, a
 * challenge that nobody met. Nothing where the gateway was away, busy or unclear, and where a person closed the payment.
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
  // Without a code from the payer, the issuer has interpreted the silence, not the card. Of a bank's page nobody knows.
  const unanswered = challenged && challenge !== 'redirect' && payment.otpsSent === 0;
  return unanswered ? ABANDONED : DECLINE;
}

/** The row that counts for it, where it counts and says of whom. */
export function trialOf(moved: Moved): Omit<DeclineRecord, 'at'> | undefined {
  const weight = trialWeight(moved);
  const { id, addressFingerprint, networkFingerprint, cardFingerprint } = moved.payment;
  if (weight === 0 || addressFingerprint === null || cardFingerprint === null) return undefined;
  return { id, addressFingerprint, networkFingerprint, cardFingerprint, weight };
}

/** Whether a payment that came to nothing has turned out to be paid or held after all: then it was no trial. */
export function isVindicated({ before, payment }: Moved): boolean {
  return (
    methodOf(payment.method).countsDeclines &&
    isClosedUnpaid(before.status) &&
    !isClosedUnpaid(payment.status)
  );
}
