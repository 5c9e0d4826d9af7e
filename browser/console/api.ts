// Generated from docs/openapi.json: run "npm run kit:types".

import type { Payment } from '../kit/api.js';

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
export interface MerchantEvent {
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
  data: Payment | SessionData;
  delivery: Delivery;
}
export interface EventOperation {
  type: string;
  /** Decimal, in major units. */
  amount?: string;
  refundId?: string;
}
export interface SessionData {
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
export interface PaymentPage {
  /** Newest first. */
  data: Payment[];
  /** Pass it as `cursor` for the next page; null at the end. */
  nextCursor: string | null;
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
export interface MerchantSession {
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
