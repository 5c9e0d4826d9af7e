// Generated from docs/openapi.json: run "npm run kit:types".

import type { Payment } from '../kit/api.js';

export interface TimelineEntry {
  id: string;
  /**
   * What it is about. More words may come: ignore what you do not know.
   */
  type:
    | 'created'
    | 'status_changed'
    | 'operation_intended'
    | 'operation_confirmed'
    | 'operation_refused'
    | 'operation_unknown'
    | 'outcome_unknown'
    | 'gateway_waiting'
    | 'otp_asked_again'
    | 'pin_asked_again'
    | 'action_changed'
    | 'not_known'
    | 'inconclusive'
    | 'mismatch'
    | 'duplicate'
    | 'duplicate_ended'
    | 'refunded'
    | 'disputed'
    | 'dispute_won'
    | 'needs_attention'
    | 'attention_lifted'
    | 'owner_lost'
    | 'resolved'
    | 'report_unconfirmed'
    | 'adopted';
  /** RFC 3339, UTC. */
  at: string;
  from?:
    | 'processing'
    | 'requires_action'
    | 'authorized'
    | 'succeeded'
    | 'failed'
    | 'canceled'
    | 'expired'
    | 'voided';
  to?:
    | 'processing'
    | 'requires_action'
    | 'authorized'
    | 'succeeded'
    | 'failed'
    | 'canceled'
    | 'expired'
    | 'voided';
  /** The gateway's word came after the payment had been closed. */
  late?: boolean;
  /** `payer`, `policy`, `merchant` or, with a named key, `merchant:<name>`, where somebody asked for it. */
  actor?: string;
  detail?: {
    [key: string]: string;
  };
}
export interface MerchantEvent {
  id: string;
  /**
   * What happened. More words may come: ignore what you do not know.
   */
  type:
    | 'payment.requires_action'
    | 'payment.authorized'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.expired'
    | 'payment.voided'
    | 'payment.duplicate'
    | 'payment.needs_attention'
    | 'payment.operation_refused'
    | 'payment.refunded'
    | 'payment.refund_failed'
    | 'payment.disputed'
    | 'payment.dispute_won'
    | 'payment.resolved'
    | 'payment.approval_needed'
    | 'checkout_session.paid'
    | 'checkout_session.expired'
    | 'checkout_session.closed'
    | 'difference.approval_needed';
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
  /** Its state at that moment: the payment, for `payment.…`; the session without payer, token and address, for `checkout_session.…`; the difference, for `difference.…`. */
  data: Payment | SessionData | Difference;
  delivery: Delivery;
}
export interface EventOperation {
  type: 'pay' | 'otp' | 'pin' | 'complete' | 'void' | 'refund';
  /** Decimal string in major units, for a completion or a refund. */
  amount?: string;
  /** Which refund it is. */
  refundId?: string;
}
export interface SessionData {
  metadata: {
    [key: string]: string;
  };
  /**
   * Why the session is closed: by you (`merchant`), after too many issuer declines (`declines`) or payments (`attempts`), or because its
   *     payment was `voided`. Null while it is not closed.
   */
  closedReason: 'merchant' | 'declines' | 'attempts' | 'voided' | null;
  id: string;
  /** Whether this is real money. */
  livemode: boolean;
  /**
   * `open`, `paid`, `expired` or `closed`.
   */
  status: 'open' | 'paid' | 'expired' | 'closed';
  reference: string;
  /** Decimal, in major units, with all minor digits. */
  amount: string;
  currency: string;
  returnUrl: string | null;
  methods: ('card' | 'wallet' | 'transfer' | 'ussd')[];
  /** The language of the payment page where it does not speak the browser's, as a BCP 47 tag; null where none was said. */
  locale: string | null;
  /** RFC 3339, UTC. */
  expiresAt: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}
export interface Difference {
  id: string;
  /**
   * `amount_differs`, `currency_differs`: settled with another one; `not_paid_here`: settled there, not paid here; `unknown_here`: there is no such
   *     payment; `settled_twice`: by a report, or by two of them; `refund_unknown_here`, `refund_differs`, `chargeback_unknown_here`, `chargeback_differs`;
   *     `fee_differs`: not what the profile expects; `payout_differs`: not the net of its rows; `not_settled`: in no report. Of the list: `order_not_paid`,
   *     `order_paid_twice`, `order_unknown`: paid here, not listed as paid. More words may come.
   */
  kind:
    | 'refund_unknown_here'
    | 'chargeback_unknown_here'
    | 'settled_twice'
    | 'amount_differs'
    | 'currency_differs'
    | 'not_paid_here'
    | 'unknown_here'
    | 'refund_differs'
    | 'chargeback_differs'
    | 'fee_differs'
    | 'payout_differs'
    | 'not_settled'
    | 'order_not_paid'
    | 'order_paid_twice'
    | 'order_unknown';
  /**
   * The same word.
   */
  name:
    | 'refund_unknown_here'
    | 'chargeback_unknown_here'
    | 'settled_twice'
    | 'amount_differs'
    | 'currency_differs'
    | 'not_paid_here'
    | 'unknown_here'
    | 'refund_differs'
    | 'chargeback_differs'
    | 'fee_differs'
    | 'payout_differs'
    | 'not_settled'
    | 'order_not_paid'
    | 'order_paid_twice'
    | 'order_unknown';
  state: 'open' | 'closed';
  /** The line in the file, the header being 1; null where no row is meant. */
  row: number | null;
  /** The report whose row it is about, or beside which the list was sent; null for what no report has. */
  settlementId: string | null;
  /** The gateway's reference of the payment; of an order the merchant's; of a payout its name. */
  reference: string;
  paymentId: string | null;
  /** The ledger's entry that it is about, where that is known. */
  movementId: string | null;
  /** When it was found. RFC 3339, UTC. */
  foundAt: string;
  /** What the ledger has; null: nothing. */
  expected: DifferenceMoney | null;
  /** What the file says; null: nothing. */
  found: DifferenceMoney | null;
  /** The latest note of a person. */
  note: string | null;
  /** Who closed it; null while it is open, and where it has closed itself because what it lacked has arrived. */
  closedBy: string | null;
  /** RFC 3339, UTC. */
  closedAt: string | null;
  /**
   * Why a person has closed it.
   */
  reason: 'duplicate' | 'gateway_corrected' | 'written_off' | 'explained' | null;
  /**
   * What is done about it. `to_ask`: the gateway will be asked; `asked`: it has its time to confirm; `unconfirmed`: the payment
   *     needs attention; `to_approve`: the gateway cannot be asked, so another person must approve what the report claims. `to_adopt`, `adopted`, `adopted_on_word`, or `left_…`: not taken over, because the gateway says `not_paid`,
   *     `unknown`, `given_back`, `waiting` or `held`, the payment is `known` here by now, or `reference` or `currency` cannot be told. Null: nothing is.
   */
  step:
    | 'adopted'
    | 'asked'
    | 'adopted_on_word'
    | 'to_ask'
    | 'unconfirmed'
    | 'to_approve'
    | 'to_adopt'
    | 'left_not_paid'
    | 'left_unknown'
    | 'left_given_back'
    | 'left_waiting'
    | 'left_held'
    | 'left_known'
    | 'left_reference'
    | 'left_currency'
    | null;
}
export interface DifferenceMoney {
  /** Decimal, in major units. */
  amount: string;
  /** ISO 4217; null where the file names none. */
  currency: string | null;
}
export interface Delivery {
  /**
   * `none`: there was no address when it happened; `pending`: waits for its (next) attempt; `delivered`; `gone`: the server answered 410;
   *     `given_up`: it was tried for 72 h.
   */
  status: 'none' | 'pending' | 'delivered' | 'gone' | 'given_up';
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
export interface PaymentPage {
  /** The newest first. */
  data: Payment[];
  /** Hand it back as `cursor` for the next page; null at the end. */
  nextCursor: string | null;
}
export interface Refund {
  id: string;
  paymentId: string;
  /** Decimal, in major units, with all minor digits. */
  amount: string;
  /**
   * `processing`: sent, or the outcome is not known yet. `succeeded`: given back. `failed`: nothing was given back by it, or it came back.
   */
  status: 'processing' | 'succeeded' | 'failed';
  reason: string | null;
  /** RFC 3339, UTC. */
  createdAt: string;
}
export interface MerchantSession {
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
  closedReason: 'merchant' | 'declines' | 'attempts' | 'voided' | null;
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
  status: 'open' | 'paid' | 'expired' | 'closed';
  reference: string;
  /** Decimal, in major units, with all minor digits. */
  amount: string;
  currency: string;
  returnUrl: string | null;
  methods: ('card' | 'wallet' | 'transfer' | 'ussd')[];
  /** The language of the payment page where it does not speak the browser's, as a BCP 47 tag; null where none was said. */
  locale: string | null;
  /** RFC 3339, UTC. */
  expiresAt: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}
export interface Payer {
  /** E-mail address, at most 254 characters (the gateway's `payerEmail`). */
  email?: string;
  /** Telephone number as in E.164: an optional `+` and 7 to 15 digits (the gateway's `payerPhone`). */
  phone?: string;
  /** First name, at most 100 characters (the gateway's `firstName`). */
  firstName?: string;
  /** Last name, at most 100 characters (the gateway's `lastName`). */
  lastName?: string;
}
export interface AuditPage {
  /** Newest first. */
  data: AuditEntry[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
}
export interface AuditEntry {
  id: string;
  /** When the call began. RFC 3339, UTC. */
  at: string;
  /** `merchant`, or `merchant:<name>` for a named key; `unknown` for a refused key. */
  actor: string;
  /** A verb, such as `refund`; `authenticate` for a refused key. Expect new words. */
  action: string;
  /** The id of the payment, session, event or other thing; null if there is none. */
  object: string | null;
  /** The caller's address. For refused keys from IPv6: its /64. Null once more than 100 addresses tried in one minute. */
  address: string | null;
  /** As in `X-Request-Id`. */
  requestId: string | null;
  /** `ok`, or the code of the problem that was answered. */
  outcome: string;
  /** How many refused keys this entry counts. Absent for everything else. */
  count?: number;
}
export interface SignedIn {
  /**
   * `full`, `read` (reads everything), or `books` (reads payments and works on the books).
   */
  access: 'full' | 'read' | 'books';
  /** `merchant`, or `merchant:<name>` for a named key. */
  actor: string;
  /** False with `GATEWAY_MODE=test`: no real money moves. */
  livemode: boolean;
  /** `BOOKS_TIME_ZONE`: the time zone of every date. */
  timeZone: string;
}
export interface Overview {
  /** When they were read. RFC 3339, UTC. */
  at: string;
  /** Paid on each of the last 30 days, today included; days without any are left out. */
  paid: PaidOnDay[];
  /** Of the last 30 days. */
  methods: MethodShare[];
  open: Open;
  /** Events that wait for their delivery. */
  undeliveredEvents: number;
  /** Where settlement reports, lists of orders and the ledger differ and nobody has dealt with it, over all reports. */
  openDifferences: number;
  /** Null where there was none. */
  lastSettlement: LastSettlement | null;
}
export interface PaidOnDay {
  /** The day on which the payments were made, in `BOOKS_TIME_ZONE`. */
  day: string;
  currency: string;
  count: number;
  /** What was taken. Decimal, in major units. */
  captured: string;
  /** What was given back of it. */
  refunded: string;
}
export interface MethodShare {
  method: 'card' | 'wallet' | 'transfer' | 'ussd' | 'unknown';
  /** Paid, including those that were voided later. */
  paid: number;
  /** Failed, canceled or expired. What is open or held is in neither. */
  notPaid: number;
}
export interface Open {
  /** Sent to the gateway, or their outcome is not known yet. */
  processing: number;
  /** Waiting for their payers. */
  requiresAction: number;
  /** Held. */
  authorized: number;
  needsAttention: number;
  /** Payments that hold money of an order that another one pays. */
  duplicates: number;
  /** The one that has been open longest; null where none is. */
  oldest: OldestOpen | null;
}
export interface OldestOpen {
  paymentId: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}
export interface LastSettlement {
  id: string;
  /** RFC 3339, UTC. */
  receivedAt: string;
  /** Of all kinds together: those that it has brought when it came. */
  differences: number;
}
export interface Summary {
  /** Payments, by when they were made. */
  data: SummaryRow[];
  /** Money, by when it moved. */
  movements: MovementSummaryRow[];
}
export interface SummaryRow {
  /** The day on which they were made, in `BOOKS_TIME_ZONE`; where the summary is by day. */
  day?: string;
  /** The month, where the summary is by month. */
  month?: string;
  /**
   * Where the summary is by method.
   */
  method?: 'card' | 'wallet' | 'transfer' | 'ussd' | 'unknown';
  /**
   * Their current status, whenever they reached it.
   */
  status:
    | 'processing'
    | 'requires_action'
    | 'authorized'
    | 'succeeded'
    | 'failed'
    | 'canceled'
    | 'expired'
    | 'voided';
  currency: string;
  count: number;
  /** The sum of their `amount`. Decimal, in major units. */
  amount: string;
  /** The sum of their `amountCaptured`: what was taken, which may be less where a hold was completed in part. */
  captured: string;
  /** The sum of their `amountRefunded`. */
  refunded: string;
}
export interface MovementSummaryRow {
  /** The day on which it moved, in `BOOKS_TIME_ZONE`; where the summary is by day. */
  day?: string;
  /** The month, where the summary is by month. */
  month?: string;
  /**
   * Where the summary is by method.
   */
  method?: 'card' | 'wallet' | 'transfer' | 'ussd' | 'unknown';
  currency: string;
  /** Payments, with what people have corrected of them. */
  captured: string;
  /** Refunds less those that came back: below zero where more came back. */
  refunded: string;
  /** Voids. */
  reversed: string;
  /** Chargebacks less disputes that were won: below zero where more were won. */
  chargedBack: string;
  /** `captured` less `refunded`, `reversed` and `chargedBack`. */
  net: string;
  /** What of `net` settlement reports have settled. */
  settled: string;
  /** What of `net` no report has settled yet. */
  unsettled: string;
  /** Movements. */
  count: number;
  /** Those of them that were entered after their month had ended. */
  late: number;
}
export interface MovementPage {
  /** By `at`, the oldest first. */
  data: Movement[];
  /** The `cursor` of the next page; null at the end. */
  nextCursor: string | null;
}
export interface Movement {
  id: string;
  /**
   * `payment`: captured. `refund`: given back. `refund_reversal`: a refund came back. `void`: reversed after it was captured. `chargeback`: the
   *     payer's bank took it back. `chargeback_reversal`: the dispute was won. `correction`: a person said that another amount arrived.
   */
  kind:
    'void' | 'refund' | 'payment' | 'refund_reversal' | 'chargeback' | 'chargeback_reversal' | 'correction';
  /**
   * `in`: to you. `out`: from you.
   */
  direction: 'in' | 'out';
  /** Above zero. Decimal, in major units. */
  amount: string;
  currency: string;
  /** When the money moved, as the gateway says; otherwise when that was learned. RFC 3339, UTC. */
  at: string;
  /** When it was entered. RFC 3339, UTC. */
  recordedAt: string;
  /** It was entered after the month of `at` had ended in `BOOKS_TIME_ZONE`. */
  late: boolean;
  paymentId: string;
  reference: string;
  gatewayReference: string;
  /** The gateway's own name for the transaction. */
  transactionRef: string | null;
  /** The refund that it belongs to; null of other kinds, and of refunds that were made at the gateway's own dashboard. */
  refundId: string | null;
  method: 'card' | 'wallet' | 'transfer' | 'ussd' | 'unknown';
  /** Who asked for it, or `gateway`. */
  actor: string;
  /** Why, as a person wrote. `[erased]` once the payer's data was erased. */
  reason: string | null;
  /**
   * Whose word it is.
   */
  source: 'report' | 'gateway' | 'person';
  /** Null until settlement reports have settled it in whole. */
  settled: Settled | null;
}
export interface Settled {
  settlementId: string;
  /** The line of the report; of a payment that was settled in parts that of the last one. */
  line: number;
  /** When, as the report says: RFC 3339, UTC; null where it does not say. */
  at: string | null;
  /** Decimal, in major units: of a payment that was settled in parts the sum, like `fee` and `net`. */
  gross: string;
  /** Null where the report does not say. */
  fee: string | null;
  /** Null where the report does not say. */
  net: string | null;
}
export interface ApprovalPage {
  /** The newest first. */
  data: Approval[];
  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
}
export interface Approval {
  /**
   * What is asked for: a `refund`, to `resolve` a payment as paid, to `adopt` one from a settlement report, a difference's `write_off`, or to
   *     believe a report that a refund came back (`refund_reversal`). More words may come.
   */
  kind: ApprovalKind;
  /** `waiting`, `approved`, `declined`, or `expired`: nobody decided within 7 days. */
  state: ApprovalState;
  id: string;
  /** How much is asked for: decimal, in major units. */
  amount: string;
  currency: string;
  /** The payment that it is about; null where it is about none. */
  paymentId: string | null;
  /** The merchant's reference of that payment; null where it is about none. */
  reference: string | null;
  /** The difference that it is about; null where it is about none. */
  differenceId: string | null;
  /** What the asker wrote; null: nothing. */
  reason: string | null;
  /** Who asked, as timelines name them. */
  askedBy: string;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** Until when it can be approved. RFC 3339, UTC. */
  expiresAt: string;
  /** Who approved or declined it; null: nobody yet. */
  decidedBy: string | null;
  /** When. RFC 3339, UTC. */
  decidedAt: string | null;
  /** What they wrote about it; null: nothing. */
  note: string | null;
}
/**
 * What is asked for: a `refund`, to `resolve` a payment as paid, to `adopt` one from a settlement report, a difference's `write_off`, or to
 *     believe a report that a refund came back (`refund_reversal`). More words may come.
 */
export type ApprovalKind = 'refund' | 'resolve' | 'adopt' | 'write_off' | 'refund_reversal';
/**
 * `waiting`, `approved`, `declined`, or `expired`: nobody decided within 7 days.
 */
export type ApprovalState = 'waiting' | 'approved' | 'declined' | 'expired';
export interface SettlementPage {
  data: Settlement[];
  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
}
export interface Settlement {
  id: string;
  /** Whether this is real money. */
  livemode: boolean;
  /** When it was received. RFC 3339, UTC. */
  receivedAt: string;
  /** Who sent it. */
  actor: string;
  /** The report's time, from its first row to its last; null where its rows name none. */
  from: string | null;
  to: string | null;
  /** How many rows it has, without the header. */
  rows: number;
  /** Rows that do not count, by reason: another `status`, a `fee` by itself, of a type that the profile ignores. */
  skipped: {
    [key: string]: number;
  };
  /** How many of its rows settle a movement of the ledger, those that an earlier report has too among them. */
  rowsMatched: number;
  /** How many say otherwise than the ledger, counted in the same way. */
  rowsDifferent: number;
  /** How many rows could not be read, and were compared with nothing. */
  rowsSetAside: number;
  /** Where they stand: the first thousand. */
  setAside: SetAsideRow[];
  /** What its rows come to, by currency. */
  totals: SettlementTotals[];
  /**
   * How many differences of each kind it has brought when it came; one that an earlier report has brought is counted there. `not_settled` counts what no
   *     report has of its time. `twice_there` is the part of `settled_twice` that it has settled twice itself, and `missing_there` the same as `not_settled`: as
   *     versions before 0.3.0 called them. Those of orders are there where a list of orders was compared too.
   */
  counts: {
    [key: string]: number;
  };
  orders: SettlementOrders | null;
  /** Null if nobody has asked to take anything over. */
  adoption: SettlementAdoption | null;
}
export interface SetAsideRow {
  /** In the file, the first line being 1. */
  line: number;
  /** The column at fault, as the header names it; null where it is the whole line. */
  column: string | null;
}
export interface SettlementTotals {
  currency: string;
  /** The payments. */
  gross: string;
  /** What the gateway keeps. */
  fees: string;
  /** What the merchant gets. */
  net: string;
  refunds: string;
  chargebacks: string;
  /** Refunds and chargebacks that came back, less payments that were reversed. */
  reversals: string;
  /** The payouts that the report has as rows; below zero where the merchant had to pay more than was paid out. */
  payouts: string;
}
export interface SettlementOrders {
  /** How many orders it has. */
  rows: number;
  /** RFC 3339, UTC. */
  receivedAt: string;
}
export interface SettlementAdoption {
  /** Payments about which the gateway is still to be asked. */
  waiting: number;
  /** Taken over on the gateway's word. */
  adopted: number;
  /** Taken over on the person's word alone: these payments need attention. */
  adoptedOnWord: number;
  /** Not taken over; the differences say why. */
  left: number;
}
export interface DifferencePage {
  data: SettlementDifference[];
  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
}
export interface SettlementDifference {
  id: string;
  state: 'open' | 'closed';
  /** The line in the file, the header being 1; null where no row is meant. */
  row: number | null;
  /** The report whose row it is about, or beside which the list was sent; null for what no report has. */
  settlementId: string | null;
  /** The gateway's reference of the payment; of an order the merchant's; of a payout its name. */
  reference: string;
  paymentId: string | null;
  /** The ledger's entry that it is about, where that is known. */
  movementId: string | null;
  /** When it was found. RFC 3339, UTC. */
  foundAt: string;
  /** What the ledger has; null: nothing. */
  expected: DifferenceMoney | null;
  /** What the file says; null: nothing. */
  found: DifferenceMoney | null;
  /** The latest note of a person. */
  note: string | null;
  /** Who closed it; null while it is open, and where it has closed itself because what it lacked has arrived. */
  closedBy: string | null;
  /** RFC 3339, UTC. */
  closedAt: string | null;
  /**
   * Why a person has closed it.
   */
  reason: 'duplicate' | 'gateway_corrected' | 'written_off' | 'explained' | null;
  /**
   * What is done about it. `to_ask`: the gateway will be asked; `asked`: it has its time to confirm; `unconfirmed`: the payment
   *     needs attention; `to_approve`: the gateway cannot be asked, so another person must approve what the report claims. `to_adopt`, `adopted`, `adopted_on_word`, or `left_…`: not taken over, because the gateway says `not_paid`,
   *     `unknown`, `given_back`, `waiting` or `held`, the payment is `known` here by now, or `reference` or `currency` cannot be told. Null: nothing is.
   */
  step:
    | 'adopted'
    | 'asked'
    | 'adopted_on_word'
    | 'to_ask'
    | 'unconfirmed'
    | 'to_approve'
    | 'to_adopt'
    | 'left_not_paid'
    | 'left_unknown'
    | 'left_given_back'
    | 'left_waiting'
    | 'left_held'
    | 'left_known'
    | 'left_reference'
    | 'left_currency'
    | null;
  /**
   * As `name`, but `twice_there` for what is `settled_twice` within the report, and `missing_there` for what is `not_settled` in its time: as
   *     versions before 0.3.0 called them.
   */
  kind:
    | 'refund_unknown_here'
    | 'chargeback_unknown_here'
    | 'settled_twice'
    | 'twice_there'
    | 'missing_there'
    | 'amount_differs'
    | 'currency_differs'
    | 'not_paid_here'
    | 'unknown_here'
    | 'refund_differs'
    | 'chargeback_differs'
    | 'fee_differs'
    | 'payout_differs'
    | 'not_settled'
    | 'order_not_paid'
    | 'order_paid_twice'
    | 'order_unknown';
  /**
   * The word that `GET /v1/differences` has for it.
   */
  name:
    | 'refund_unknown_here'
    | 'chargeback_unknown_here'
    | 'settled_twice'
    | 'amount_differs'
    | 'currency_differs'
    | 'not_paid_here'
    | 'unknown_here'
    | 'refund_differs'
    | 'chargeback_differs'
    | 'fee_differs'
    | 'payout_differs'
    | 'not_settled'
    | 'order_not_paid'
    | 'order_paid_twice'
    | 'order_unknown';
  /** What the file says: decimal, in major units. */
  amount?: string;
  currency?: string;
}
export interface AllDifferencesPage {
  data: Difference[];
  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
}
