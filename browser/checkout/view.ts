import type { CheckoutSession, Payment } from '../kit/types.js';

/** The view that the payer sees. */
export type View =
  | { kind: 'loading' }
  | { kind: 'unavailable'; reason: UnavailableReason }
  | { kind: 'choose'; session: CheckoutSession }
  /** A payment was declined, and the payer may pay again in the same form. */
  | { kind: 'declined'; session: CheckoutSession; payment: Payment }
  | { kind: 'otp' | 'pin'; payment: Payment }
  | { kind: 'transfer' | 'ussd' | 'unsupported'; payment: Payment }
  | { kind: 'redirect'; payment: Payment; stage: RedirectStage }
  /** `elsewhere`: the page on which the payer began may ask for something. */
  | { kind: 'confirming'; elsewhere?: boolean }
  /** Another sum than the one owed has come. */
  | { kind: 'partial'; payment: Payment }
  | { kind: 'outcome'; payment: Payment }
  | { kind: 'ended'; session: CheckoutSession; reason: EndReason };

export type EndReason = Exclude<CheckoutSession['status'], 'open'>;

/** `returned`: the time in which a link back from the bank shows its payment is over. `setup`: the shop has to mend something. */
export type UnavailableReason = 'token' | 'connection' | 'returned' | 'setup';

/**
 * `leaving`: the payer is on the way to the other page. `returned`: they came back from it, and the result is not known
 * yet. `pending`: they have not gone yet, or came back with the back button.
 */
export type RedirectStage = 'leaving' | 'returned' | 'pending';
