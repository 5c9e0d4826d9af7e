import type { KeptValues } from './gateway-input.js';
import type { DeclineReason, MeaningName } from './profile/format.js';

/**
 * What a gateway's answer says about a payment, in this service's own words. The profile maps the gateway's values to
 * them. `refused` is an answer with `error: true` and no value that the profile lists.
 */
export type GatewayMeaning = MeaningName | 'refused';

/** A trustworthy answer: its meaning, and the other values that the profile's pointers found. */
export interface GatewayAnswer {
  readonly meaning: GatewayMeaning;
  /** Human-readable reason, at most 500 characters, without control characters. Scrub it before showing it. */
  readonly message?: string;
  /** The gateway's own code (`data.errorCode` in the built-in profile). */
  readonly code?: string;
  /** Why it is not paid, if it is not: what the profile's `declines` say of the code, otherwise of the message. */
  readonly reason?: DeclineReason;
  /** The gateway's own word that decided the meaning. */
  readonly status?: string;
  /** The gateway's transaction reference (`data.transactionRef`, the wallet's `data.data.orderNo` in the built-in profile). */
  readonly transactionRef?: string;
  /** Where to send the payer. Not yet checked: see `isSafeRedirect`. */
  readonly redirectUrl?: string;
  /** The HTTP method for the payer's browser. `GET` where the answer does not say. */
  readonly redirectMethod?: 'GET' | 'POST';
  /** Form fields of a `POST` redirect. */
  readonly redirectFields?: Readonly<Record<string, string>>;
  /** Account to pay into (transfer). */
  readonly accountNumber?: string;
  readonly accountName?: string;
  readonly bankName?: string;
  /** RFC 3339, UTC. Absent where the gateway's value has no zone or is not a time. */
  readonly expiresAt?: string;
  /** The code to dial (USSD). */
  readonly ussdCode?: string;
  /** The gateway's message for the payer when it asks for an OTP, a PIN, or what this service cannot ask for. Scrub it before showing it. */
  readonly otpMessage?: string;
  /** The payment's reference as the gateway repeats it. */
  readonly reference?: string;
  /** Minor units of the currency that was asked for. `unreadable` where the value is not a valid amount of it. */
  readonly amount?: bigint | 'unreadable';
  /** ISO 4217 alphabetic code. An unknown code is passed on unchanged. */
  readonly currency?: string;
  /** How much has been given back so far, read like `amount`. */
  readonly refundedAmount?: bigint | 'unreadable';
  /** How much was charged back, read like `amount`. */
  readonly disputedAmount?: bigint | 'unreadable';
  /** When the payment was paid, in milliseconds since the epoch, as the gateway says. */
  readonly paidAt?: number;
  /** When money was last given back, likewise. */
  readonly refundedAt?: number;
  /** The profile takes a success of a payment that was charged back as the word that the dispute was won. */
  readonly endsDispute?: true;
  /** Of a `refused` answer: the word at a status pointer that the profile does not list. */
  readonly unlisted?: string;
  /** Values that the profile keeps for later calls, by name. */
  readonly kept?: KeptValues;
  /** True where the profile does not accept a success without an amount. */
  readonly amountRequired: boolean;
}

/** What an answer names whose status word the profile does not list. */
export interface UnlistedAnswer extends Pick<GatewayAnswer, 'reference' | 'amount' | 'currency'> {
  /** The word itself. Scrub it before showing it. */
  readonly word: string;
}

/**
 * Why nothing reached the gateway. `abandoned`: the gate refused, or the request could not be built. `preparation`: the
 * call before the call could not be made. `token`: there was no token to be had.
 */
export type NotSentReason =
  'refused' | 'dns' | 'tls' | 'connect-timeout' | 'abandoned' | 'encryption' | 'preparation' | 'token';

/** Nothing has reached the gateway. */
export interface NotSent {
  readonly kind: 'not-sent';
  readonly reason: NotSentReason;
  /** The code that it ends in, such as `ENOTFOUND` or `CERT_HAS_EXPIRED`, where there is one. */
  readonly cause?: string;
}

/** Why an outcome is unknown. */
export type UnknownReason =
  | 'timeout'
  | 'reset'
  | 'http-status'
  | 'redirected'
  | 'not-json'
  | 'too-large'
  | 'cut'
  | 'unrecognised'
  | 'contradiction'
  | 'requirement'
  | 'other';

/** The result of one call to the gateway. No call throws because of the gateway or the network. */
export type GatewayResult =
  /** HTTP 200, 201 or 202 with an answer that the profile understands. */
  | { readonly kind: 'answered'; readonly answer: GatewayAnswer }
  /** The connection was never secured, or the request was never written. Nothing reached the gateway. */
  | NotSent
  | {
      readonly kind: 'rejected';
      readonly status: 400 | 404 | 422;
      readonly message?: string;
      readonly code?: string;
      readonly reason?: DeclineReason;
      /** The call before the call was rejected. It names no card, so it says nothing about one. */
      readonly preparation?: true;
    }
  | { readonly kind: 'credentials-rejected'; readonly status: 401 | 403 }
  /** HTTP 429; `retryAfterSeconds` where the answer names a time. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds?: number }
  /** The request may have reached the gateway, but no trustworthy answer came back. */
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      readonly status?: number;
      /** Where the answer was read and only its status word is not listed. */
      readonly said?: UnlistedAnswer;
    };

/** A bank that accepts USSD payments. */
export interface UssdBank {
  readonly code: string;
  readonly name: string;
}

/** The answer to a query for the USSD banks. */
export type UssdBanksResult = { readonly kind: 'banks'; readonly banks: readonly UssdBank[] } | GatewayResult;

/**
 * When the payment expires at the gateway, in milliseconds since the epoch. Undefined where the answer does not say.
 */
export function answerExpiry({ expiresAt }: GatewayAnswer): number | undefined {
  if (expiresAt === undefined) return undefined;
  const at = Date.parse(expiresAt);
  return Number.isNaN(at) ? undefined : at;
}
