import type { EventType } from './event-types.js';
import type { MoneyColumns } from './money-columns.js';
import type { RefundColumns } from './refund-columns.js';
/**
 * The data model: one record type a table, as the code sees it. `tables.ts` says how each property is stored.
 * Times are milliseconds since the epoch; amounts are bigint minor units of the record's currency.
 */

import type { PaymentMethod } from '../config/read-config.js';
import type { RecordedMethod } from './recorded-method.js';

export type { PaymentMethod };

export const PAYMENT_STATUSES = [
  'processing',
  'requires_action',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
  'expired',
  'voided',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const SESSION_STATUSES = ['open', 'paid', 'expired', 'closed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export const OPERATION_TYPES = ['pay', 'otp', 'pin', 'complete', 'void', 'refund'] as const;
export type OperationType = (typeof OPERATION_TYPES)[number];
/** Operations that carry what the payer has typed. */
export const CODE_TYPES = ['otp', 'pin'] as const;
export type CodeType = (typeof CODE_TYPES)[number];

/** Whether an operation carries what the payer has typed. */
export function isCodeType(type: string): type is CodeType {
  return CODE_TYPES.some((code) => code === type);
}

export const OPERATION_STATUSES = ['intended', 'confirmed', 'refused', 'unknown'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/** Who pays. Personal data: erased by redaction, never part of an event or a timeline. */
export interface Payer {
  email?: string;
  phone?: string;
  firstName?: string;
  lastName?: string;
}

/** Where the card is billed. Personal data, like the payer. */
export interface Billing {
  street?: string;
  city?: string;
  stateProvince?: string;
  postCode?: string;
  /** ISO 3166-1 alpha-3. */
  country?: string;
}

/** What the payer must do next. */
export type NextAction =
  | { type: 'redirect'; url: string; method: 'GET' | 'POST'; fields?: Record<string, string> }
  | { type: 'otp'; message?: string }
  | { type: 'pin'; message?: string }
  | { type: 'unsupported'; message?: string }
  | {
      type: 'transfer';
      bankName: string;
      accountNumber: string;
      accountName: string | null;
      amount: string;
      expiresAt?: string;
    }
  | { type: 'ussd'; code: string; bankName?: string };

export const FAILURE_CODES = [
  'declined',
  'expired',
  'canceled',
  'resolved',
  'gateway_unavailable',
  'gateway_rejected',
  'gateway_credentials_rejected',
  'gateway_busy',
  'gateway_never_received',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Why a payment is not paid. `message` can be shown to a payer. */
export interface Failure {
  code: FailureCode;
  message: string;
  gatewayCode?: string;
  /** Whether a new payment may be tried with the same details. */
  retryable: boolean;
}

/** An operation whose outcome is unknown, as an answer shows it. */
export interface PendingOperation {
  type: OperationType;
  /** Decimal string in major units, for a completion or a refund. */
  amount?: string;
  /** RFC 3339. */
  since: string;
}

/** A lock with an owner, an end and a fencing number that grows each time it is taken. */
export interface Lease {
  owner: string | null;
  until: number;
  fence: number;
}

/** One row for each merchant's reference. Everything about one reference is serialized on it. */
export interface ReferenceRecord {
  reference: string;
  /** How many payments were ever started for it: the N of `reference_N`. */
  attempts: number;
  /** Payments that are processing, waiting for the payer, or held. */
  livePaymentIds: string[];
  /** Payments that succeeded and were not voided, the first announced one first. */
  paidPaymentIds: string[];
  /** The latest session of this reference. */
  sessionId: string | null;
}

/** Why a session was closed: by its merchant, after too many declines or payments, or because its payment was voided. */
export type ClosedReason = 'merchant' | 'declines' | 'attempts' | 'voided';

export interface SessionRecord {
  id: string;
  reference: string;
  amount: bigint;
  currency: string;
  status: SessionStatus;
  closedReason: ClosedReason | null;
  payer: Payer | null;
  billing: Billing | null;
  returnUrl: string | null;
  methods: PaymentMethod[];
  metadata: Record<string, string>;
  /** Issuer declines so far. */
  declines: number;
  /** The last sequence number given to an event of this session. */
  eventSequence: number;
  expiresAt: number;
  createdAt: number;
  updatedAt: number;
  /** When it left `open`. The retention of payer data counts from here. */
  finishedAt: number | null;
  redactedAt: number | null;
}

export interface PaymentRecord extends MoneyColumns {
  id: string;
  sessionId: string;
  reference: string;
  gatewayReference: string;
  method: RecordedMethod;
  status: PaymentStatus;
  amount: bigint;
  currency: string;
  amountAuthorized: bigint | null;
  amountCaptured: bigint | null;
  nextAction: NextAction | null;
  pendingOperation: PendingOperation | null;
  duplicateOf: string | null;
  needsAttention: boolean;
  /** Why attention is needed: a stable reason and, where an answer of the gateway caused it, that answer in short. */
  attentionReason: string | null;
  /** The answer that a person's `resolve` settled. The same answer raises no attention again. */
  settledAnswer: string | null;
  /** The last word after a success or a hold that the profile does not list: it raises attention once. */
  unlistedWord: string | null;
  failure: Failure | null;
  cardBrand: string | null;
  cardLast4: string | null;
  /**
   * Keyed hashes for counting declines by card and by address. The network is the /48 of an IPv6 address, otherwise
   * null.
   */
  cardFingerprint: string | null;
  addressFingerprint: string | null;
  networkFingerprint: string | null;
  /** The gateway's own name for the transaction. */
  transactionRef: string | null;
  /** Values of the gateway's answers that later calls need, as the profile's `keep` names them; null: none. Never shown. */
  kept: Record<string, string> | null;
  metadata: Record<string, string>;
  /** One-time codes that were sent to the gateway. */
  otpsSent: number;
  /** Card PINs that were sent to the gateway after the card. */
  pinsSent: number;
  /** Whether the gateway has ever answered about this payment. */
  answered: boolean;
  /** Whether the gateway's last conclusive answer was that it waits for the payer. */
  waiting: boolean;
  /** How many answers in a row said that the gateway does not know the payment. */
  notKnownCount: number;
  /** When the gateway says that it ends this payment by itself; null where it has not said so. */
  gatewayExpiresAt: number | null;
  /** When the next status check is due; null: never. */
  nextStatusCheckAt: number | null;
  /** The last timeline note: the same one is not entered twice in a row. */
  lastTimelineNote: string | null;
  /** How many status checks were made since the state last changed: the exponent of the backoff. */
  statusCheckCount: number;
  /** What the next status check is worth, see `payments/schedule/worth.ts`; a smaller number goes first. */
  statusCheckWorth: number;
  /**
   * How many status checks have followed the last notification; -1 if it came while one was under way, null where none
   * is followed.
   */
  notificationChecks: number | null;
  /** What the notifications that are followed claim, each claim once. */
  notificationClaims: string[] | null;
  /** Since when the outcome of the payment or of an operation on it is open without a conclusive answer. */
  openSince: number | null;
  /** How much time was seen to pass since its creation, in milliseconds: between answers, by processes that were running. */
  seenMs: number;
  /** When it was last heard of: its beginning, an operation's beginning or end, an answer. Null: not since 0.1.0. */
  answeredAt: number | null;
  /** When it was closed; null while live. */
  closedAt: number | null;
  /** Since when the money is held; null where none is, and for holds of version 0.1.0. */
  heldSince: number | null;
  /** When a person last said what became of it; null: nobody did. */
  resolvedAt: number | null;
  eventSequence: number;
  timelineSequence: number;
  leaseOwner: string | null;
  leaseUntil: number;
  leaseFence: number;
  /** Grows with every write. */
  version: number;
  createdAt: number;
  updatedAt: number;
}

export interface OperationRecord extends RefundColumns {
  id: string;
  paymentId: string;
  type: OperationType;
  status: OperationStatus;
  /** The amount to complete or to give back; null for other operations. */
  amount: bigint | null;
  /** The process that began it. */
  owner: string;
  /** Who asked for it: `payer`, `policy`, `merchant` or, with a named key, `merchant:<name>`. */
  actor: string;
  /** How many answers showed the state before the operation since it became unknown; 0 once it is refused in words. */
  formerCount: number;
  /** The payment's `seenMs` at the end of the operation's call; at its beginning where the call's end was not seen. */
  seenFromMs: number;
  /** When the gateway accepted it as pending; null where it has not. Then it is never taken for refused by time. */
  acceptedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface IdempotencyRecord {
  /** `session:<id>` or `merchant`. */
  scope: string;
  key: string;
  /** Keyed hash of the validated request without cvv, pin and otp, with the name of the key that made it. */
  fingerprint: string;
  sessionId: string | null;
  paymentId: string | null;
  /**
   * The operation that finishes the request; null where the request finished when written, or is under way until
   * `runningUntil`.
   */
  operationId: string | null;
  /** Until when a request without an operation may hold its key; null: it has finished. */
  runningUntil: number | null;
  createdAt: number;
  expiresAt: number;
}

/** The type of a timeline entry: a move, an operation, or a timeline note. */
export const TIMELINE_TYPES = [
  'created',
  'status_changed',
  ...OPERATION_STATUSES.map((status) => `operation_${status}` as const),
  'outcome_unknown',
  'gateway_waiting',
  'otp_asked_again',
  'pin_asked_again',
  'action_changed',
  'not_known',
  'inconclusive',
  'mismatch',
  'duplicate',
  'duplicate_ended',
  'refunded',
  'disputed',
  'dispute_won',
  'needs_attention',
  'attention_lifted',
  'owner_lost',
  'resolved',
  'report_unconfirmed',
  'adopted',
] as const;
export type TimelineType = (typeof TIMELINE_TYPES)[number];

/** One entry of a payment's timeline. */
export interface TimelineRecord {
  paymentId: string;
  sequence: number;
  id: string;
  type: TimelineType;
  at: number;
  fromStatus: PaymentStatus | null;
  toStatus: PaymentStatus | null;
  late: boolean;
  actor: string | null;
  detail: Record<string, string> | null;
}

/** Older entries of a payment's timeline, moved out of its row together. */
export interface TimelinePageRecord {
  paymentId: string;
  /** The number of the last entry in it. */
  lastSequence: number;
  /** A line of JSON an entry. */
  entries: string;
}

export const DELIVERY_STATUSES = ['none', 'pending', 'delivered', 'gone', 'given_up'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * The events of one commit. Batches, not events, are put into the one order of all events, so a commit is placed by one
 * narrow row, and no event is ever written again for it.
 */
export interface EventBatchRecord {
  /** Grows with each batch. Of two batches about one reference the later one has the greater id. */
  id: number;
  /**
   * Position in the order of all batches. The embedded store gives it in the commit, PostgreSQL after it; null until
   * then.
   */
  position: number | null;
}

/** The operation that an event is about. */
export interface EventOperation {
  type: OperationType;
  /** Decimal string in major units, for a completion or a refund. */
  amount?: string;
  /** Of a refund. */
  refundId?: string;
}

/** One event for the merchant: the outbox row, its place in the list of events and the state of its delivery. */
export interface EventRecord {
  id: string;
  type: EventType;
  /** The payment's or the session's id; events are delivered in order within it. */
  aggregateId: string;
  /** The number of this event among those of its payment or session, from 1. */
  sequence: number;
  livemode: boolean;
  /** The gateway's answer came after the payment was closed unpaid. */
  late: boolean;
  /** The operation that it is about, for those that are. */
  operation: EventOperation | null;
  /** The payment or the session at this move, as JSON, just as it is sent. */
  data: string;
  createdAt: number;
  /** The batch of events that it was committed with; null until the store has written it. */
  batch: number | null;
  /** Its number within the batch, in the order in which the commit named its events; null like `batch`. */
  ordinal: number | null;
  deliveryStatus: DeliveryStatus;
  attempts: number;
  nextAttemptAt: number | null;
  firstAttemptAt: number | null;
  lastResult: string | null;
  leaseOwner: string | null;
  leaseUntil: number;
}

/** One stored Transaction Notification, scrubbed. */
export interface NotificationRecord {
  id: string;
  receivedAt: number;
  /** Digest of the raw content. Repeats share a row. */
  digest: string;
  mediaType: string;
  body: string;
  reference: string | null;
  paymentId: string | null;
  status: 'received' | 'applied' | 'unmatched';
  repeats: number;
  processedAt: number | null;
}

/** A named lease for work that only one process does at a time. */
export interface LeaseRecord {
  name: string;
  owner: string | null;
  until: number;
  fence: number;
}
