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
    | 'not_known'
    | 'inconclusive'
    | 'mismatch'
    | 'duplicate'
    | 'duplicate_ended'
    | 'refunded'
    | 'disputed'
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
    | 'checkout_session.paid'
    | 'checkout_session.expired'
    | 'checkout_session.closed';
  apiVersion: string;
  /** Whether this is real money. */
  livemode: boolean;
  /** When it happened. RFC 3339, UTC. */
  timestamp: string;
  /** Counts the payment's, or the session's, events from 1. */
  sequence: number;
  /** Set where the gateway's word came after the payment had been closed. */
  late?: boolean;
  /** The operation that the event is about: set on `payment.operation_refused`, `payment.refund_failed`, and on `payment.refunded` by a refund made here. */
  operation?: EventOperation;
  /** As it was then: the payment, for `payment.…`; the session without payer, token and address, for `checkout_session.…`. */
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
  /** RFC 3339, UTC. While an attempt is under way, when the event is sent again should its outcome be lost. */
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
