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
export interface Session {
  /** Its newest 20 payments, the oldest of them first. */
  payments: Payment[];
  payer: Payer | null;
  metadata: {
    [key: string]: string;
  };
  /**
   * Why the session is closed: by you (`merchant`), after too many issuer declines (`declines`) or payments (`attempts`), or because its
   *     payment was `voided`. Null while it is not closed.
   */
  closedReason: 'attempts' | 'declines' | 'merchant' | null | 'voided';
  /** The browser's secret for this session; only in the answer that created it and in its replays. */
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
  /** The language of the payment page where it does not speak the browser's, as a BCP 47 tag; null where none was said. */
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
  failure: Failure | null;
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
export interface SessionList {
  /** The newest first. */
  data: Session[];
}
export interface EventSession {
  metadata: {
    [key: string]: string;
  };
  /**
   * Why the session is closed: by you (`merchant`), after too many issuer declines (`declines`) or payments (`attempts`), or because its
   *     payment was `voided`. Null while it is not closed.
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
  /** The language of the payment page where it does not speak the browser's, as a BCP 47 tag; null where none was said. */
  locale: string | null;
  /** RFC 3339, UTC. */
  expiresAt: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}
export interface PaymentPage {
  /** The newest first. */
  data: Payment[];
  /** Hand it back as `cursor` for the next page; null at the end. */
  nextCursor: string | null;
}
export interface TimelineEntry {
  id: string;
  /**
   * What it is about. More words may come: ignore what you do not know.
   */
  type:
    | 'action_changed'
    | 'adopted'
    | 'attention_lifted'
    | 'created'
    | 'dispute_won'
    | 'disputed'
    | 'duplicate'
    | 'duplicate_ended'
    | 'gateway_waiting'
    | 'inconclusive'
    | 'mismatch'
    | 'needs_attention'
    | 'not_known'
    | 'operation_confirmed'
    | 'operation_intended'
    | 'operation_refused'
    | 'operation_unknown'
    | 'otp_asked_again'
    | 'outcome_unknown'
    | 'owner_lost'
    | 'pin_asked_again'
    | 'refunded'
    | 'report_unconfirmed'
    | 'resolved'
    | 'status_changed';
  /** RFC 3339, UTC. */
  at: string;
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
  /** `payer`, `policy`, `merchant` or, with a named key, `merchant:<name>`, where somebody asked for it. */
  actor?: string;
  detail?: {
    [key: string]: string;
  };
}
export interface Completion {
  /** How much to take of what is held: decimal, in major units; all of it by default, and `null` is refused. */
  amount?: string;
}
export interface NewRefund {
  /** How much to give back: decimal, in major units, at most what is left. Without it, all that is left; `null` is refused. */
  amount?: string;
  /**
   * Why, for your own books: at most 500 characters. The gateway does not get it. What looks like a card number or another
   *     secret in it is removed before it is kept.
   */
  reason?: string;
}
export interface Refund {
  id: string;
  paymentId: string;
  /** Decimal, in major units, with all minor digits. */
  amount: string;
  /**
   * `processing`: sent, or the outcome is not known yet. `succeeded`: given back. `failed`: nothing was given back by it, or it came back.
   */
  status: 'failed' | 'processing' | 'succeeded';
  reason: string | null;
  /** RFC 3339, UTC. */
  createdAt: string;
}
export interface RefundList {
  /** The oldest first. */
  data: Refund[];
}
export interface AskedApproval {
  /** The refund, once it was approved. */
  result: Refund | null;
  approval: Approval;
}
export interface Approval {
  /** `expired`: nobody decided within 7 days. */
  state: ApprovalState;
  id: string;
  amount: string;
  currency: string;
  paymentId: string;
  /** The payment's. */
  reference: string;
  /** What the asker wrote. */
  reason: string | null;
  askedBy: string;
  decidedBy: string | null;
  decidedAt: string | null;
  createdAt: string;
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
  /**
   * What happened. More words may come: ignore what you do not know.
   */
  type:
    | 'checkout_session.closed'
    | 'checkout_session.expired'
    | 'checkout_session.paid'
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
  /** Set if the gateway's word came after the payment had been closed. */
  late?: boolean;
  /** The operation that the event is about: set on `payment.operation_refused`, `payment.refund_failed`, and on `payment.refunded` by a refund made here. */
  operation?: EventOperation;
  /** The payment, or the session without payer and token, as it then was. */
  data: Payment | EventSession;
  delivery: Delivery;
}
export interface EventOperation {
  type: 'complete' | 'otp' | 'pay' | 'pin' | 'refund' | 'void';
  /** Decimal string in major units, for a completion or a refund. */
  amount?: string;
  /** Which refund it is. */
  refundId?: string;
}
export interface Delivery {
  /**
   * `none`: there was no address when it happened; `pending`: waits for its (next) attempt; `delivered`; `gone`: the server answered 410;
   *     `given_up`: it was tried for 72 h.
   */
  status: 'delivered' | 'given_up' | 'gone' | 'none' | 'pending';
  /** How often it was sent since it was written or redelivered. */
  attempts: number;
  /** RFC 3339, UTC. While an attempt is under way: when the event is sent again if the attempt's outcome is lost. */
  nextAttemptAt: string | null;
  /**
   * The status that the server answered with, or why there is none: `timeout`, `unreachable`, `no_answer`, `tls`, `private_address`,
   *     `no_secret`, `interrupted`.
   */
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
  /** Set if the gateway's word came after the payment had been closed. */
  late?: boolean;
  /** The operation that the event is about: set on `payment.operation_refused`, `payment.refund_failed`, and on `payment.refunded` by a refund made here. */
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
  /** Set if the gateway's word came after the payment had been closed. */
  late?: boolean;
  /** The operation that the event is about: set on `payment.operation_refused`, `payment.refund_failed`, and on `payment.refunded` by a refund made here. */
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
  /** Only this reference's. */
  reference?: string;
  /**
   * Only those in this status.
   */
  status?:
    | 'authorized'
    | 'canceled'
    | 'expired'
    | 'failed'
    | 'processing'
    | 'requires_action'
    | 'succeeded'
    | 'voided';
  /**
   * Only those by this method.
   */
  method?: 'card' | 'transfer' | 'unknown' | 'ussd' | 'wallet';
  /** Only those made at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
  from?: string;
  /** Only those made before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
  to?: string;
  /** Only those paid at this time or later (`paidAt`): a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
  paidFrom?: string;
  /** Only those paid before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
  paidTo?: string;
  /** Only those of this amount, in major units of any currency: `1500` and `1500.00` are the same. */
  amount?: string;
  /** Only those in this currency (ISO 4217). */
  currency?: string;
  /** Only those by a card that ends in these four digits. */
  last4?: string;
  /** Only the payment with this gateway reference. */
  gatewayReference?: string;
  /**
   * `true`: only those that need attention.
   */
  needsAttention?: 'false' | 'true';
  /**
   * `true`: only those that are charged back.
   */
  disputed?: 'false' | 'true';
  /**
   * `true`: only those that hold money beside another payment that pays their reference: an order was paid twice.
   */
  duplicate?: 'false' | 'true';
  /** 1 to 100, 50 by default. */
  limit?: string;
  /** The `nextCursor` of the page before. */
  cursor?: string;
}
export interface WaitQuery {
  /**
   * How long to wait for a change, in seconds: 0 to 30. A token holds at most 8 such calls at the same time, a merchant key 200; one more is
   *     answered at once, with `Retry-After`.
   */
  wait?: string;
  /**
   * What the caller has seen of the payment: its status, and with `requires_action` also the type of the next action
   *     (`requires_action.otp`). Where it stands otherwise by now, the answer comes at once. Without it a change between two calls is not
   *     noticed before the next one.
   */
  seen?:
    | 'authorized'
    | 'canceled'
    | 'expired'
    | 'failed'
    | 'processing'
    | 'requires_action'
    | 'requires_action.otp'
    | 'requires_action.pin'
    | 'requires_action.redirect'
    | 'requires_action.transfer'
    | 'requires_action.unsupported'
    | 'requires_action.ussd'
    | 'succeeded'
    | 'voided';
}
export interface EventQuery {
  /** The id of the event after which the list begins; from the first one by default. */
  after?: string;
  /** Only this payment's. */
  paymentId?: string;
  /** 1 to 100, 50 by default. */
  limit?: string;
}
