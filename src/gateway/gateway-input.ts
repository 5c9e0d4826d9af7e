import type { Secret } from '../secrets/secret.js';

/** What every call carries: the payment's reference, which the gateway gets as `client_ref`. */
interface Referenced {
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

/** A card payment (seed 2.1). Card number, cvv, pin and cardholder name stay wrapped until the body is written. */
export interface CardPaymentInput extends Referenced, Amounted {
  /** Sent as `authNotifyUrl`: always the service's own return address. */
  readonly notifyUrl: string;
  readonly card: {
    readonly number: Secret;
    /** Two digits. */
    readonly expiryMonth: string;
    /** Two or four digits. It is written in the form that the profile's `card.expiryYear` asks for. */
    readonly expiryYear: string;
    readonly cvv: Secret;
    /** Left out of the request where absent. */
    readonly pin?: Secret;
    readonly nameOnCard: Secret;
  };
  readonly payer: GatewayPayer;
  readonly billing: {
    readonly street: string;
    readonly city: string;
    readonly stateProvince: string;
    readonly postCode: string;
    /** ISO 3166-1 alpha-3. */
    readonly country: string;
  };
  readonly device: {
    readonly javaEnabled: boolean;
    readonly language: string;
    readonly screenHeight: number;
    readonly screenWidth: number;
    /** Bits. A depth that the gateway does not accept is sent as the next lower one. */
    readonly colorDepth: number;
    readonly timeZone: string;
    readonly userAgent: string;
  };
}

/** A partner-wallet order (seed 2.3). */
export interface WalletInput extends Referenced, Amounted {
  readonly payerEmail: string;
}

/** A payment by bank transfer. */
export interface TransferInput extends Referenced, Amounted {
  readonly payer: GatewayPayer;
}

/** A payment by USSD code. */
export interface UssdInput extends Referenced, Amounted {
  readonly payerEmail: string;
  readonly bankCode: string;
}

/** A one-time code for a card payment that asked for one. Amount and currency are needed to check the answer. */
export interface OtpInput extends Referenced, Amounted {
  readonly transactionRef?: string;
  readonly otp: Secret;
}

/** The completion of an authorized payment for `amount`. */
export interface CompleteInput extends Referenced, Amounted {
  readonly transactionRef?: string;
}

/** The reversal of an authorized or paid payment. */
export interface VoidInput extends Referenced {
  readonly transactionRef?: string;
  readonly currency: string;
}

/** A status query for a payment, with `transactionRef` if the gateway has given one. */
export interface StatusInput extends Referenced {
  readonly transactionRef?: string;
  readonly currency: string;
}

/** The final check before a request that moves money is sent. */
export interface SendGate {
  /**
   * Called once and synchronously, right before the request is handed to the connection pool. If it returns false,
   * nothing is sent and the result is `not-sent` with the reason `abandoned`.
   */
  readonly beforeSend?: () => boolean;
}
