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
    | 'checkout_session.closed';
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
  /** Its state at that moment: the payment, for `payment.…`; the session without payer, token and address, for `checkout_session.…`. */
  data: Payment | SessionData;
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
