// Generated from docs/openapi.json: run "npm run kit:types".

import type { Payment } from '../kit/api.js';

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
export interface MerchantEvent {
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
  data: Payment | SessionData;
  delivery: Delivery;
}
export interface EventOperation {
  type: 'complete' | 'otp' | 'pay' | 'pin' | 'refund' | 'void';
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
  status: 'failed' | 'processing' | 'succeeded';
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
  access: 'books' | 'full' | 'read';
  /** `merchant`, or `merchant:<name>` for a named key. */
  actor: string;
  /** False with `GATEWAY_MODE=test`: no real money moves. */
  livemode: boolean;
  /** `BOOKS_TIME_ZONE`: the time zone of every date. */
  timeZone: string;
}
export interface ApprovalPage {
  /** Newest first. */
  data: Approval[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
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
