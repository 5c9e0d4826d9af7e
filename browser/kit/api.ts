// Generated from docs/openapi.json: run "npm run kit:types".

export interface Payment {
  id: string;
  /** Whether this is real money. */
  livemode: boolean;
  sessionId: string;
  /** The merchant's reference. */
  reference: string;
  /** The gateway's name for the payment: the reference and the attempt's number. */
  gatewayReference: string;
  /**
   * How it is or was paid; `unknown` if it was taken over from a settlement report.
   */
  method: 'card' | 'transfer' | 'unknown' | 'ussd' | 'wallet';
  /**
   * `processing`: sent to the gateway, or the outcome is not known yet. `requires_action`: waits for the payer. `authorized`: the money is
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
  /** Decimal, in major units, with all minor digits. */
  amount: string;
  /** How much is or was held. */
  amountAuthorized: string | null;
  /** How much was paid. */
  amountCaptured: string | null;
  /**
   * How much money has come where that is not what is owed (`mismatch`): a transfer of a part, or of too much. It does not pay the order: a
   *     person must look. Null where nothing else came.
   */
  amountReceived: string | null;
  /**
   * How much of that has been given back: refunds that succeeded, and what the gateway says that it gave back by itself; null until
   *     anything was. The payment stays `succeeded`.
   */
  amountRefunded: string | null;
  /** Whether the payer's bank has taken the money back (a chargeback), and the gateway has not said that the dispute was won. */
  disputed: boolean;
  /** How much of it the bank took back; null where nothing is disputed, and where nobody knows how much. */
  amountDisputed: string | null;
  /** ISO 4217. */
  currency: string;
  nextAction: NextAction | null;
  /** An operation whose outcome is not known yet. The service keeps asking the gateway. */
  pendingOperation: PendingOperation | null;
  /** The payment that pays the same reference, or paid it when this one came; null for the payment that pays it. */
  duplicateOf: string | null;
  /** Whether a person must look. */
  needsAttention: boolean;
  /** Why a person must look: words that never change, which the runbook explains. Empty where nobody must. */
  attentionReasons: string[];
  /** Why it is not paid. */
  failure: PaymentFailure | null;
  card: PaymentCard | null;
  /** The session's. */
  metadata: {
    [key: string]: string;
  };
  /**
   * When it was paid, RFC 3339, UTC: the gateway's time where it says one that can be believed, otherwise when that was learned. Null until
   *     it is paid. It never changes.
   */
  paidAt: string | null;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** RFC 3339, UTC. */
  updatedAt: string;
}
/** What the payer must do next. Expect new types: treat one that you do not know as waiting. */
export type NextAction =
  RedirectAction | OtpAction | PinAction | UnsupportedAction | TransferAction | UssdAction;
/** The payer must go to another page, by GET or by posting `fields` to it. */
export interface RedirectAction {
  type: 'redirect';
  /** Where to send the payer. */
  url: string;
  method: 'GET' | 'POST';
  /** With POST: the fields of the form. */
  fields?: {
    [key: string]: string;
  };
}
/** The payer must enter the one-time code that their bank sent. */
export interface OtpAction {
  type: 'otp';
  /** The gateway's own words for the payer, in its own language. */
  message?: string;
}
/** The payer must enter the PIN of their card. */
export interface PinAction {
  type: 'pin';
  /** The gateway's own words for the payer, in its own language. */
  message?: string;
}
/** The gateway asks the payer for something that this service cannot ask for. Cancel the payment, or let the payer take another way. */
export interface UnsupportedAction {
  type: 'unsupported';
  /** The gateway's own words for the payer, in its own language. */
  message?: string;
}
/** The payer must transfer exactly `amount` to this account. */
export interface TransferAction {
  type: 'transfer';
  bankName: string;
  accountNumber: string;
  /** Whose account it is; null where the gateway does not say. */
  accountName: string | null;
  /** Decimal, in major units: exactly this. */
  amount: string;
  /** RFC 3339, UTC. After that the account accepts no money. */
  expiresAt?: string;
}
/** The payer must dial this code on the phone that belongs to their bank account. */
export interface UssdAction {
  type: 'ussd';
  /** What to dial. */
  code: string;
  bankName?: string;
}
export interface PendingOperation {
  type: 'complete' | 'otp' | 'pay' | 'pin' | 'refund' | 'void';
  /** Decimal, in major units, for a completion or a refund. */
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
  /**
   * Why the bank declined it, as far as the gateway profile's `declines` tell; null where they do not. Show the payer a sentence of your
   *     own for it, in their language.
   */
  reason:
    | 'askBank'
    | 'authenticationFailed'
    | 'cardBlocked'
    | 'expiredCard'
    | 'insufficientFunds'
    | 'limitExceeded'
    | 'notPermitted'
    | null
    | 'tryAgain'
    | 'wrongCode'
    | 'wrongPin';
  /** The gateway's own code. */
  gatewayCode?: string;
  /** Whether the same call may be tried again. */
  retryable: boolean;
}
export interface PaymentCard {
  brand: string | null;
  last4: string;
}
export interface CheckoutSession {
  /** Its newest 20 payments, the oldest of them first. */
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
  /** The language of the payment page where it does not speak the browser's, as a BCP 47 tag; null where none was said. */
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
  /**
   * `stateProvince` and `postCode` only where the country requires them: that of the session, or the one that the payer chooses
   *     (`requiredIn`).
   */
  billing: string[];
}
export interface CardPin {
  /**
   * `with`: cards of these brands are paid with their PIN in the first call. `later`: the next action `pin` asks for it.
   */
  when: 'later' | 'with';
  /** Empty with `later`. */
  brands: string[];
}
export interface MethodFields {
  payer: string[];
  /**
   * `stateProvince` and `postCode` only where the country requires them: that of the session, or the one that the payer chooses
   *     (`requiredIn`).
   */
  billing: string[];
}
export interface RequiredIn {
  stateProvince: string[];
  postCode: string[];
}
export interface Payer {
  /** E-mail address, at most 254 characters (the gateway's `payerEmail`). An international domain is sent in ASCII. */
  email?: string;
  /** Telephone number of 6 to 15 digits (the gateway's `payerPhone`). It may have blanks, dots, dashes and brackets, and is sent as digits, with its `+` if it had one. */
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
