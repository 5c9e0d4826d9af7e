// Generated from docs/openapi.json: run "npm run kit:types".

export interface Payment {
  id: string;
  /** Whether this is real money. */
  livemode: boolean;
  sessionId: string;
  /** The merchant's reference. */
  reference: string;
  /** What the gateway knows the payment by: the reference and the number of the attempt. */
  gatewayReference: string;
  /** The gateway's own name of the transaction, once it gave one. */
  transactionRef: string | null;
  /**
   * `unknown`: the store had lost this payment and the gateway knew it.
   */
  method: 'card' | 'transfer' | 'unknown' | 'ussd' | 'wallet';
  /**
   * `processing`: sent to the gateway, or its outcome is not known yet. `requires_action`: waits for the payer. `authorized`: the money is
   *     held. `succeeded`: paid. The others: not paid.
   */
  status:
    | 'authorized'
    | 'canceled'
    | 'expired'
    | 'failed'
    | 'processing'
    | 'requires_action'
    | 'succeeded'
    | 'voided';
  /** What is owed: decimal, in major units, with all minor digits. */
  amount: string;
  /** What is or was held. */
  amountAuthorized: string | null;
  /** What was paid. */
  amountCaptured: string | null;
  /** What was given back. */
  amountRefunded: string | null;
  /** What a bank took back. */
  amountDisputed: string | null;
  /** ISO 4217. */
  currency: string;
  nextAction: NextAction | null;
  /** An operation whose outcome is not known yet. The service keeps asking the gateway. */
  pendingOperation: PendingOperation | null;
  /** A bank took the money back, and the gateway has not said that the dispute was won. */
  disputed: boolean;
  /** The payment that pays the order, where this one is a second payment of it. */
  duplicateOf: string | null;
  /** A person must look. */
  needsAttention: boolean;
  /** Why a person must look. The runbook explains each word. */
  attentionReasons: string[];
  /** Why it is not paid. */
  failure: PaymentFailure | null;
  card: PaymentCard | null;
  /** The session's. */
  metadata: {
    [key: string]: string;
  };
  /** When it was paid, RFC 3339, UTC: the gateway's time where it gives one that can be believed. */
  paidAt: string | null;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** RFC 3339, UTC. */
  updatedAt: string;
}
/** What the payer must do next. Expect new types: treat one that you do not know as waiting. */
export type NextAction =
  RedirectAction | OtpAction | PinAction | UnsupportedAction | TransferAction | UssdAction;
/** Send the payer to another page, by GET or by posting `fields` to it. */
export interface RedirectAction {
  type: 'redirect';
  url: string;
  method: 'GET' | 'POST';
  /** With POST: the fields of the form. */
  fields?: {
    [key: string]: string;
  };
}
/** The payer enters the one-time code that their bank sent. */
export interface OtpAction {
  type: 'otp';
  /** The gateway's own words for the payer. */
  message?: string;
}
/** The payer enters the PIN of their card. */
export interface PinAction {
  type: 'pin';
  /** The gateway's own words for the payer. */
  message?: string;
}
/** The gateway asks for something that this service cannot ask for. The payer can cancel. */
export interface UnsupportedAction {
  type: 'unsupported';
  /** The gateway's own words for the payer. */
  message?: string;
}
/** The payer transfers exactly `amount` to this account. */
export interface TransferAction {
  type: 'transfer';
  bankName: string;
  accountNumber: string;
  accountName: string | null;
  /** Decimal, in major units. */
  amount: string;
  /** After that the account takes no money. */
  expiresAt?: string;
}
/** The payer dials this code on the phone of their bank account. */
export interface UssdAction {
  type: 'ussd';
  code: string;
  bankName?: string;
}
export interface PendingOperation {
  type: 'complete' | 'otp' | 'pay' | 'pin' | 'refund' | 'void';
  /** Decimal, in major units, of a completion or a refund. */
  amount?: string;
  /** RFC 3339, UTC. */
  since: string;
}
export interface PaymentFailure {
  /**
   * Stable. Let your code decide by it.
   */
  code:
    | 'canceled'
    | 'declined'
    | 'expired'
    | 'gateway_busy'
    | 'gateway_credentials_rejected'
    | 'gateway_never_received'
    | 'gateway_rejected'
    | 'gateway_unavailable'
    | 'resolved';
  /** Can be shown to the payer. */
  message: string;
  /** Why the bank declined it, as the gateway profile's `declines` list it; null where they do not. */
  reason: string | null;
  /** The gateway's own code. */
  gatewayCode: string | null;
  /** Nothing is wrong with the card: the payer may try again with it. */
  retryable: boolean;
}
export interface PaymentCard {
  brand: string;
  last4: string;
}
export interface CheckoutSession {
  /** Its newest 20 payments, oldest first, without metadata. */
  payments: Payment[];
  provided: ProvidedFields;
  fields: SessionFields;
  requiredIn: RequiredIn;
  id: string;
  /** Whether this is real money. */
  livemode: boolean;
  /**
   * `open`, `paid`, `expired` or `closed`.
   */
  status: 'closed' | 'expired' | 'open' | 'paid';
  reference: string;
  /** Decimal, in major units, with all minor digits. */
  amount: string;
  currency: string;
  returnUrl: string | null;
  methods: ('card' | 'transfer' | 'ussd' | 'wallet')[];
  /** The language of the payment page, where the merchant chose one. */
  locale: string | null;
  /** RFC 3339, UTC. */
  expiresAt: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}
export interface ProvidedFields {
  payer: string[];
  billing: string[];
}
export interface SessionFields {
  card?: CardFields;
  wallet?: MethodFields;
  transfer?: MethodFields;
  ussd?: MethodFields;
}
export interface CardFields {
  card: string[];
  device: string[];
  pin: CardPin;
  payer: string[];
  /** `stateProvince` and `postCode` only where the country requires them (`requiredIn`). */
  billing: string[];
  /** Shown, and required of nobody. */
  optional: string[];
}
export interface CardPin {
  /** Brands whose PIN is asked for with the card. */
  brands: string[];
}
export interface MethodFields {
  payer: string[];
  /** `stateProvince` and `postCode` only where the country requires them (`requiredIn`). */
  billing: string[];
  /** Shown, and required of nobody. */
  optional: string[];
}
export interface RequiredIn {
  stateProvince: string[];
  postCode: string[];
}
export interface Payer {
  /** E-mail address, at most 254 characters (the gateway's `payerEmail`). An international domain is sent in ASCII. */
  email?: string;
  /** Telephone number of 6 to 15 digits (the gateway's `payerPhone`). It may have spaces, dots, dashes and brackets, and is sent as digits, with its `+` if it had one. */
  phone?: string;
  /** First name, at most 100 characters (the gateway's `firstName`). */
  firstName?: string;
  /** Last name, at most 100 characters (the gateway's `lastName`). A person may have one name, as `firstName`. */
  lastName?: string;
}
export interface Billing {
  /** Street and number, at most 200 characters (the gateway's `billingStreet`). */
  street?: string;
  /** City, at most 100 characters (the gateway's `billingCity`). */
  city?: string;
  /** State or province, at most 100 characters (the gateway's `billingStateProvince`). */
  stateProvince?: string;
  /** Postal code, at most 20 characters (the gateway's `billingPostCode`). */
  postCode?: string;
  /** Country: ISO 3166-1 alpha-3 (the gateway's `billingCountry`). */
  country?: string;
}
export interface UssdBank {
  code: string;
  name: string;
}
export interface Fault {
  /** JSON pointer to the field, or `/` and the query parameter. */
  pointer: string;
  /** What is expected there. */
  message: string;
}
/** Decide by `code`; the texts are for people and may change. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code:
    | 'body-too-large'
    | 'forbidden'
    | 'gateway-busy'
    | 'gateway-credentials-rejected'
    | 'gateway-refused'
    | 'gateway-unavailable'
    | 'header-too-large'
    | 'idempotency-in-flight'
    | 'idempotency-key-missing'
    | 'idempotency-key-reused'
    | 'internal-error'
    | 'invalid-state'
    | 'malformed-json'
    | 'malformed-request'
    | 'method-not-allowed'
    | 'not-found'
    | 'not-supported'
    | 'operation-in-progress'
    | 'origin-not-allowed'
    | 'outcome-unknown'
    | 'overloaded'
    | 'payment-in-progress'
    | 'payments-held'
    | 'rate-limited'
    | 'reference-in-use'
    | 'request-timeout'
    | 'session-closed'
    | 'session-expired'
    | 'session-paid'
    | 'shutting-down'
    | 'store-unavailable'
    | 'unauthorized'
    | 'unsupported-media-type'
    | 'validation-failed';
  /** As in `X-Request-Id` and in the log. */
  requestId: string;
  errors?: Fault[];
  /** The payment that is the reason. */
  paymentId?: string;
}
