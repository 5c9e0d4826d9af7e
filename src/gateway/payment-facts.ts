import type { Secret } from '../secrets/secret.js';

/** What a call may carry of a payment. Everything secret stays wrapped until the request is written. */
export interface PaymentFacts {
  readonly clientRef: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Minor units: the payment's; of a completion or refund its own. */
  readonly amount?: bigint;
  readonly transactionRef?: string;
  readonly refundRef?: string;
  /** What the profile's `keep` took so far. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Where the payer comes back to: `{authNotifyUrl}`. */
  readonly returnUrl?: string;
  readonly payer?: Partial<Record<'email' | 'phone' | 'firstName' | 'lastName', string>>;
  /** `country` is ISO 3166-1 alpha-3. */
  readonly billing?: Partial<Record<'street' | 'city' | 'stateProvince' | 'postCode' | 'country', string>>;
  readonly payerIp?: string;
  readonly bankCode?: string;
  readonly card?: CardFacts;
  readonly device?: Partial<DeviceFacts>;
  readonly otp?: Secret;
  /** The PIN that was asked for after the card. */
  readonly pin?: Secret;
}

export interface CardFacts {
  readonly number: Secret;
  readonly expiryMonth?: string;
  /** Two or four digits. */
  readonly expiryYear?: string;
  readonly cvv?: Secret;
  readonly pin?: Secret;
  readonly nameOnCard?: Secret;
}

export interface DeviceFacts {
  readonly javaEnabled: boolean;
  readonly language: string;
  readonly screenHeight: number;
  readonly screenWidth: number;
  readonly colorDepth: number;
  readonly timeZone: string;
  readonly userAgent: string;
}
