import type { Secret } from '../secrets/secret.js';

/** Values that the profile's `keep` took from earlier answers, by name. */
export type KeptValues = Readonly<Record<string, string>>;

/** What a profile may have any call carry beside its own fields, as far as it is known. */
export interface PaymentFacts {
  /** The address that the payer comes back to: the gateway's `authNotifyUrl`. */
  readonly returnUrl?: string;
  readonly payer?: Partial<GatewayPayer>;
  readonly billing?: Partial<GatewayBilling>;
  /** The payer's IP address. */
  readonly payerAddress?: string;
  readonly kept?: KeptValues;
}

/** What every call carries: the payment's reference, which the gateway gets as `client_ref`. */
interface Referenced extends PaymentFacts {
  readonly clientRef: string;
}

/** The amount to charge, in minor units of an ISO 4217 currency. */
interface Amounted {
  readonly amount: bigint;
  readonly currency: string;
}

/** The payer. */
export interface GatewayPayer {
  readonly email: string;
  readonly phone: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Where the card is billed. */
export interface GatewayBilling {
  readonly street: string;
  readonly city: string;
  readonly stateProvince: string;
  readonly postCode: string;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
}

/**
 * A card. Number, cvv, pin and cardholder name stay wrapped until the body is written. What is absent is left out of the request: the
 * payer has no PIN, or the profile sends no such field.
 */
export interface GatewayCard {
  readonly number: Secret;
  /** Two digits. */
  readonly expiryMonth?: string;
  /** Two or four digits. It is written in the form that the profile's `card.expiryYear` asks for. */
  readonly expiryYear?: string;
  readonly cvv?: Secret;
  readonly pin?: Secret;
  readonly nameOnCard?: Secret;
}

/** The payer's browser. */
export interface GatewayDevice {
  readonly javaEnabled: boolean;
  readonly language: string;
  readonly screenHeight: number;
  readonly screenWidth: number;
  /** Bits. A depth that the gateway does not accept is sent as the next lower one. */
  readonly colorDepth: number;
  readonly timeZone: string;
  readonly userAgent: string;
}

/** A card payment. */
export interface CardPaymentInput extends Referenced, Amounted {
  /** Sent as `authNotifyUrl`: always the service's own return address. */
  readonly returnUrl: string;
  readonly card: GatewayCard;
  readonly device: Partial<GatewayDevice>;
}

/** A partner-wallet order. */
export type WalletInput = Referenced & Amounted;

/** A payment by bank transfer. */
export type TransferInput = Referenced & Amounted;

/** A payment by USSD code. */
export interface UssdInput extends Referenced, Amounted {
  readonly bankCode: string;
}

/** A one-time code for a card payment that asked for one. Amount and currency are needed to check the answer. */
export interface OtpInput extends Referenced, Amounted {
  readonly transactionRef?: string;
  readonly otp: Secret;
}

/** A card PIN that the gateway asked for after the card. */
export interface PinInput extends Referenced, Amounted {
  readonly transactionRef?: string;
  readonly pin: Secret;
}

/** The completion of an authorized payment for `amount`. */
export interface CompleteInput extends Referenced, Amounted {
  readonly transactionRef?: string;
}

/** The reversal of an authorized or paid payment. */
export interface VoidInput extends Referenced {
  readonly transactionRef?: string;
  /** The payment's. */
  readonly amount?: bigint;
  readonly currency: string;
}

/** A refund of `amount`, under a reference of its own. */
export interface RefundInput extends Referenced, Amounted {
  readonly transactionRef?: string;
  readonly refundRef: string;
}

/** A status query for a payment, with `transactionRef` if the gateway has given one. */
export interface StatusInput extends Referenced {
  readonly transactionRef?: string;
  /** The payment's. */
  readonly amount?: bigint;
  readonly currency: string;
}

/** A status query for one refund. */
export interface RefundStatusInput extends StatusInput {
  readonly refundRef: string;
}

/** The final check before a request that moves money is sent. */
export interface SendGate {
  /**
   * Called synchronously, right before a request is handed to the connection pool. If it returns false, nothing is sent
   * and the result is `not-sent` with the reason `abandoned`.
   */
  readonly beforeSend?: () => boolean;
  /**
   * Called where the profile has a call before this one, once that has succeeded: commits what it brought, and gives the
   * call itself its time anew. If it does not resolve to true, the call itself is not sent.
   */
  readonly afterPreparation?: (kept: KeptValues) => Promise<boolean>;
}
