/**
 * What one answer of the gateway says about one payment. Every kind of call makes one; `payments/core` alone decides what follows.
 * The gateway's judge compares reference and currency, which never change (`foreign`). The amount is compared by the core against
 * the row as it is when the fact is written, so a fact carries it.
 */

/** What the payer must do next. */
export type NextAction =
  | { type: 'redirect'; url: string; method: 'GET' | 'POST'; fields?: Record<string, string> }
  | { type: 'otp' | 'pin' | 'unsupported'; message?: string }
  | {
      type: 'transfer';
      bankName: string;
      accountNumber: string;
      accountName: string | null;
      amount: string;
      expiresAt?: string;
    }
  | { type: 'ussd'; code: string; bankName?: string };

export type FailureCode =
  | 'declined'
  | 'expired'
  | 'canceled'
  | 'resolved'
  | 'gateway_unavailable'
  | 'gateway_rejected'
  | 'gateway_credentials_rejected'
  | 'gateway_busy'
  | 'gateway_never_received';

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

/** Why a payment is not paid. `message` may be shown to a payer. */
export interface Failure {
  code: FailureCode;
  message: string;
  /** Why, as the profile's `declines` say. */
  reason: DeclineReason | null;
  gatewayCode: string | null;
  /** Nothing is wrong with the card: a new payment may be tried with it. */
  retryable: boolean;
}

/** What the answer has besides its word. */
export interface Seen {
  transactionRef?: string;
  /** The payment's amount, of a refund's answer the refund's, in minor units, where the answer has one. */
  amount?: bigint;
  /** All that was given back so far, in minor units. */
  refundedTotal?: bigint;
  /** All that is disputed, in minor units. */
  disputedTotal?: bigint;
  /** The gateway's times, in milliseconds since the epoch. */
  paidAt?: number;
  /** The gateway names only the day of `paidAt`. */
  paidOnDay?: true;
  refundedAt?: number;
  /** The end that the gateway gives to what it waits for. */
  expiresAt?: number;
  /** What the profile's `keep` took. */
  kept?: Record<string, string>;
  /** The answer to a code or PIN asks for one again, this or the other. */
  again?: true;
}

export type Fact =
  /** `denied` is said of queries only; `paid` and `held` never of a wallet's, transfer's or USSD start. */
  (
    | { is: 'paid' | 'held' | 'reversed' | 'denied' | 'chargedBack' | 'disputeWon' }
    /** `whole` where the word is `refunded`; a `partiallyRefunded` one is not. */
    | { is: 'givenBack'; whole: boolean }
    | { is: 'failed' | 'expired'; failure: Failure }
    /** Without an action: the gateway is at work. */
    | { is: 'waiting'; action?: NextAction }
    /** `accepted`: a completion, void or refund is under way. The others: of a refund's own answer or `refundStatus`. */
    | { is: 'accepted' | 'refundDone' | 'refundFailed' }
    /**
     * Refused in words or by HTTP status; `failure` is what a starting payment fails with. `notSent`: it is proven that nothing left
     * that moves money. Neither is said of a query, which is `unclear` then. `cardTried`: it counts as a card that was tried.
     */
    | { is: 'refused' | 'notSent'; failure: Failure; cardTried: boolean; retryAfterSeconds?: number }
    | { is: 'foreign'; differs: 'reference' | 'currency' }
    /** A trustworthy answer whose word no list has. */
    | { is: 'unlisted'; word: string }
    /** `retryAfterSeconds`: the gateway was busy (429) and names its time. */
    | { is: 'unclear'; why: string; retryAfterSeconds?: number }
  ) &
    Seen;
