import type { CheckoutSession, Payment } from '../kit/types.js';
import { hasOtherAmount } from './outcome.js';

/** The view that the payer sees. */
export type View =
  | { kind: 'loading' }
  | { kind: 'unavailable'; reason: UnavailableReason }
  | { kind: 'choose' }
  /** A payment was declined, and the payer may pay again in the same form. */
  | { kind: 'declined'; payment: Payment }
  | { kind: 'otp' | 'pin' | 'transfer' | 'ussd' | 'unsupported' | 'confirming' | 'outcome'; payment: Payment }
  | { kind: 'redirect'; payment: Payment; stage: RedirectStage }
  | { kind: 'ended'; reason: EndReason };

export type EndReason = Exclude<CheckoutSession['status'], 'open'>;

/** `returned`: the time in which a link back from the bank shows its payment is over. `setup`: the shop has to mend something. */
export type UnavailableReason = 'token' | 'connection' | 'returned' | 'setup';

/**
 * `leaving`: the payer is on the way to the other page. `returned`: they came back from it, and the result is not known
 * yet. `pending`: they have not gone yet, or came back with the back button.
 */
export type RedirectStage = 'leaving' | 'returned' | 'pending';

/** Whether the payment waits for the gateway or for the payer. */
export function isWaiting({ status }: Payment): boolean {
  return status === 'processing' || status === 'requires_action';
}

/** What a payment's payer sees. */
export function viewOf(payment: Payment, stage: RedirectStage): View {
  const { status, nextAction } = payment;
  if (hasOtherAmount(payment) || !isWaiting(payment)) return { kind: 'outcome', payment };
  if (status === 'processing' || nextAction === null) return { kind: 'confirming', payment };
  if (nextAction.type === 'redirect') return { kind: 'redirect', payment, stage };
  return { kind: nextAction.type, payment };
}
