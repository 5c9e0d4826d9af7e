// Generated from docs/openapi.json: run "npm run kit:types".

export interface NewSession {
  /** The merchant's own reference: 1 to 40 letters, digits, dots and dashes. */
  reference: string;
  /** Decimal amount in major units, above zero, with at most the currency's ISO 4217 minor digits. */
  amount: string;
  /** ISO 4217 alphabetic code. */
  currency: string;
  /** What is already known about the payer. */
  payer?: Payer;
  /** What is already known about the billing address. */
  billing?: Billing;
  /** Where the payer comes back to: an address of an allowed return origin. */
  returnUrl?: string;
  /** Which of the offered methods may be used; all of them by default, and `null` is refused. */
  methods?: ('card' | 'transfer' | 'ussd' | 'wallet')[];
  /** How long it can be paid, in seconds: 60 to 2592000 (30 days, for payment links), 1800 by default. */
  expiresInSeconds?: number;
  /** The language of the payment page where it does not speak the browser's: a BCP 47 tag of at most 35 characters. */
  locale?: string;
  /**
   * The merchant's own notes, copied onto payments and events: at most 20 keys of 1 to 40 letters, digits, `_`, `.`
   *     and `-`, with strings of at most 500 characters. A card number in them is refused.
   */
  metadata?: {
    [key: string]: string;
  };
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
export interface Session {
  /** Its newest 20 payments, oldest first. */
  payments: Payment[];
  payer: Payer;
  billing: Billing;
  metadata: {
    [key: string]: string;
  };
  /**
   * Closed by you (`merchant`), after too many `declines` or `attempts`, or because the payment that paid was `voided` or failed.
   */
  closedReason: 'attempts' | 'declines' | 'merchant' | null | 'voided';
  /** The browser's secret for this session: only in the answer that created it and in its replays. */
  clientToken?: string;
  /** A ready-made page to send the payer to; the token is in its fragment. Only beside `clientToken`. */
  checkoutUrl?: string;
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
  failure: Failure | null;
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
export interface Failure {
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
export interface SessionList {
  /** Oldest first. */
  data: Session[];
}
export interface EventSession {
  billing: Billing;
  metadata: {
    [key: string]: string;
  };
  /**
   * Closed by you (`merchant`), after too many `declines` or `attempts`, or because the payment that paid was `voided` or failed.
   */
  closedReason: 'attempts' | 'declines' | 'merchant' | null | 'voided';
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
export interface PaymentPage {
  /** Newest first. */
  data: Payment[];
  /** Pass it as `cursor` for the next page; null at the end. */
  nextCursor: string | null;
}
export interface TimelineEntry {
  id: string;
  /**
   * What it is about. More words may come: ignore what you do not know.
   */
  type:
    | 'adopted'
    | 'approval_asked'
    | 'attention'
    | 'attention_ended'
    | 'confirmed'
    | 'corrected'
    | 'created'
    | 'dispute_won'
    | 'disputed'
    | 'duplicate'
    | 'erased'
    | 'moved'
    | 'refund_failed'
    | 'refund_reversed'
    | 'refunded'
    | 'refused'
    | 'resolved'
    | 'sent'
    | 'unknown';
  /** RFC 3339, UTC. */
  at: string;
  /** Who caused it: `payer`, `gateway`, `merchant`, or `merchant:<name>` for a named key; null for the service itself. */
  actor: string | null;
  from?:
    | 'authorized'
    | 'canceled'
    | 'expired'
    | 'failed'
    | 'processing'
    | 'requires_action'
    | 'succeeded'
    | 'voided';
  to?:
    | 'authorized'
    | 'canceled'
    | 'expired'
    | 'failed'
    | 'processing'
    | 'requires_action'
    | 'succeeded'
    | 'voided';
  /** The gateway's word came after the payment had been closed. */
  late?: boolean;
  detail?: {
    [key: string]: unknown;
  };
}
export interface Completion {
  /** How much to take of what is held: decimal, in major units; all of it by default. `null` is refused. */
  amount?: string;
}
export interface NewRefund {
  /** How much to give back: decimal, in major units; all that is left by default. `null` is refused. */
  amount?: string;
  /** Why, for your own books: at most 500 characters. The gateway does not get it. */
  reason?: string;
}
export interface Refund {
  id: string;
  paymentId: string;
  /** Decimal, in major units. */
  amount: string;
  /**
   * `processing`: sent, or its outcome is not known yet. `succeeded`: given back. `failed`: nothing was given back, or it came back.
   */
  status: 'failed' | 'processing' | 'succeeded';
  reason: string | null;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** It had succeeded and then came back. */
  late?: boolean;
}
export interface RefundList {
  /** Oldest first. */
  data: Refund[];
}
export interface AskedApproval {
  approval: Approval;
  /** Null until it is approved. */
  result: Refund | null;
}
export interface Approval {
  /** `expired`: nobody decided within 7 days. */
  state: ApprovalState;
  id: string;
  /** Decimal, in major units. */
  amount: string;
  currency: string;
  paymentId: string;
  reference: string;
  /** What the asker wrote. */
  reason: string | null;
  /** Who asked: `merchant`, or `merchant:<name>` for a named key. */
  askedBy: string;
  decidedBy: string | null;
  /** RFC 3339, UTC. */
  decidedAt: string | null;
  createdAt: string;
  /** Until when it can be approved. */
  expiresAt: string;
  /** What the person who decided wrote. */
  note: string | null;
}
/**
 * `expired`: nobody decided within 7 days.
 */
export type ApprovalState = 'approved' | 'declined' | 'expired' | 'waiting';
export interface EventRecord {
  id: string;
  /** What happened. Ignore words that you do not know. */
  type: string;
  apiVersion: string;
  /** Whether this is real money. */
  livemode: boolean;
  /** When it happened. RFC 3339, UTC. */
  timestamp: string;
  /** Counts the events of the payment or session from 1. */
  sequence: number;
  /** The gateway's word came after the payment had been closed. */
  late?: boolean;
  operation?: EventOperation;
  /** The payment, or the session without payer and token, as it then was. */
  data: Payment | EventSession;
  delivery: Delivery;
}
export interface EventOperation {
  type: string;
  /** Decimal, in major units. */
  amount?: string;
  refundId?: string;
}
export interface Delivery {
  /**
   * `pending`: not sent yet; `failed`: to be sent again; `delivered`; `given_up`: the server answered 410, or 72 hours passed.
   */
  status: 'delivered' | 'failed' | 'given_up' | 'pending';
  /** How often it was sent since it was written or redelivered. */
  attempts: number;
  /** RFC 3339, UTC; null: it is not sent again. */
  nextAttemptAt: string | null;
  /** The status that the server answered with, or why there is none: `timeout`, `unreachable`, `interrupted`. */
  lastResult: string | null;
}
/** An event as your server gets it. Expect new types: answer 2xx to those that you do not know. */
export type WebhookEvent = PaymentEvent | SessionEvent;
export interface PaymentEvent {
  id: string;
  type:
    | 'payment.approval_needed'
    | 'payment.authorized'
    | 'payment.canceled'
    | 'payment.dispute_won'
    | 'payment.disputed'
    | 'payment.duplicate'
    | 'payment.expired'
    | 'payment.failed'
    | 'payment.needs_attention'
    | 'payment.operation_refused'
    | 'payment.refund_failed'
    | 'payment.refunded'
    | 'payment.requires_action'
    | 'payment.resolved'
    | 'payment.succeeded'
    | 'payment.voided';
  apiVersion: string;
  /** Whether this is real money. */
  livemode: boolean;
  /** When it happened. RFC 3339, UTC. */
  timestamp: string;
  /** Counts the events of the payment or session from 1. */
  sequence: number;
  /** The gateway's word came after the payment had been closed. */
  late?: boolean;
  operation?: EventOperation;
  data: Payment;
}
export interface SessionEvent {
  id: string;
  type: 'checkout_session.closed' | 'checkout_session.expired' | 'checkout_session.paid';
  apiVersion: string;
  /** Whether this is real money. */
  livemode: boolean;
  /** When it happened. RFC 3339, UTC. */
  timestamp: string;
  /** Counts the events of the payment or session from 1. */
  sequence: number;
  /** The gateway's word came after the payment had been closed. */
  late?: boolean;
  operation?: EventOperation;
  data: EventSession;
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
export interface PaymentQuery {
  reference?: string;
  status?:
    | 'authorized'
    | 'canceled'
    | 'expired'
    | 'failed'
    | 'processing'
    | 'requires_action'
    | 'succeeded'
    | 'voided';
  method?: 'card' | 'transfer' | 'unknown' | 'ussd' | 'wallet';
  /** ISO 4217. */
  currency?: string;
  /** Created at this time or later: RFC 3339, or a date in `BOOKS_TIME_ZONE`. */
  from?: string;
  /** Created before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
  to?: string;
  /**
   * Whether a person must look.
   */
  needsAttention?: 'false' | 'true';
  /**
   * Whether another payment pays their order.
   */
  duplicate?: 'false' | 'true';
  disputed?: 'false' | 'true';
  /** 1 to 100, 50 by default. */
  limit?: string;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}
export interface WaitQuery {
  /** Wait so many seconds (0 to 30) for another status or next action. */
  wait?: string;
}
export interface EventQuery {
  /** The id of the event after which the list begins; from the first one by default. */
  after?: string;
  /** Only this payment's. */
  paymentId?: string;
  /** 1 to 100, 50 by default. */
  limit?: string;
}
