/**
 * What one answer of the gateway says about a payment: made once, for every kind of call, and the only thing that payments learn of
 * the gateway. Nothing in it names a gateway's own field. Amounts are minor units, times milliseconds since the epoch.
 *
 * Of a card's start or a code every word stands for itself; other starts never say `paid` or `held`. Of a completion or void, words
 * are those of its own answer. `refused` and `notSent` are never said of a query, whose failure is `unclear`.
 */
export type Fact = Beside &
  (
    | { is: 'paid'; amount?: bigint; at?: number }
    | { is: 'held'; amount?: bigint }
    /** Without an amount: of all that was held or captured. */
    | { is: 'reversed'; amount?: bigint }
    /** The gateway says explicitly that it never received it. Said by queries only. */
    | { is: 'denied' }
    | { is: 'failed' | 'expired'; failure: Failure }
    | { is: 'waiting'; action?: NextAction }
    /** `whole` where the word or the total says that nothing is left; `total` is what was given back so far. */
    | { is: 'givenBack'; total?: bigint; whole: boolean; at?: number }
    | { is: 'chargedBack'; amount?: bigint; at?: number }
    | { is: 'disputeWon' }
    /** A completion, void or refund was taken and is not done yet. */
    | { is: 'accepted' }
    | { is: 'refundDone' | 'refundFailed' }
    /** `refused`: the gateway said no. `notSent`: it is proven that nothing that moves money left. */
    | { is: 'refused' | 'notSent'; problem: Problem; cardTried: boolean }
    | { is: 'foreign'; differs: 'reference' | 'amount' | 'currency' }
    | { is: 'unlisted'; word: string }
    | { is: 'unclear'; why: string }
  );

/** What any answer may carry beside its word, as far as its reference is this payment's. */
export interface Beside {
  transactionRef?: string;
  /** Of status answers: what was given back, and charged back, so far. */
  refundedTotal?: bigint;
  disputedTotal?: bigint;
  paidAt?: number;
  refundedAt?: number;
  /** The end that the gateway gave to what the payer must do. */
  expiresAt?: number;
  /** What the profile's `keep` took: durable, never shown. */
  kept?: Record<string, string>;
  /** The answer to a code or PIN asks for another one. */
  again?: boolean;
}

export const FAILURE_CODES = [
  'declined',
  'expired',
  'canceled',
  'resolved',
  'gateway_unavailable',
  'gateway_rejected',
  'gateway_credentials_rejected',
  'gateway_busy',
  'gateway_never_received',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Why a payment is declined, as the profile's `declines` say. */
export const DECLINE_REASONS = [
  'insufficientFunds',
  'wrongCode',
  'wrongPin',
  'expiredCard',
  'cardBlocked',
  'limitExceeded',
  'notPermitted',
  'authenticationFailed',
  'askBank',
  'tryAgain',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** Why a payment is not paid, as payers and merchants may see it. */
export interface Failure {
  code: FailureCode;
  /** For payers: no digits of cards, nothing that the payer sent as a secret. */
  message: string;
  reason: DeclineReason | null;
  gatewayCode: string | null;
  /** Nothing is wrong with the card. */
  retryable: boolean;
}

/** Why an operation was refused or not sent. */
export interface Problem extends Failure {
  code: Extract<FailureCode, 'declined' | `gateway_${string}`>;
  /** Of a busy gateway: when it may be asked again. */
  retryAfterSeconds?: number;
}

/** What the payer must do next, as the API shows it. */
export type NextAction =
  | { type: 'redirect'; url: string; method: 'GET' | 'POST'; fields?: Record<string, string> }
  | { type: 'otp' | 'pin' | 'unsupported'; message?: string }
  | {
      type: 'transfer';
      bankName: string;
      accountNumber: string;
      accountName: string;
      /** In major units. */
      amount: string;
      expiresAt?: string;
    }
  | { type: 'ussd'; code: string; bankName?: string };

/** Failures after which the payer may try the same card again. */
export function isRetryable(code: FailureCode, reason: DeclineReason | null): boolean {
  return (
    code === 'gateway_unavailable' ||
    code === 'gateway_busy' ||
    code === 'gateway_never_received' ||
    reason === 'tryAgain'
  );
}
