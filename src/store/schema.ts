/**
 * The data model: one map a table, from which its records, its rows and all statements follow (`table.ts`). Times are milliseconds since the
 * epoch; amounts are bigint minor units of the record's currency.
 */
import { PAYMENT_METHODS } from '../config/payment-method.js';
import type { PaymentMethod } from '../config/payment-method.js';
import type { EventType } from './event-types.js';
import type { Commit } from './history/witness.js';
import type { PaymentName } from './payment-name.js';
import {
  amount,
  flag,
  integer,
  json,
  orNull,
  table,
  text,
  type RecordOf,
  type RowOf,
  type Table,
} from './table.js';

export type { PaymentMethod };

/** How a payment was paid: `unknown` of one that was taken over from a settlement report. */
export type RecordedMethod = PaymentMethod | 'unknown';
/** All of them, in the order in which they are shown. */
export const RECORDED_METHODS: readonly RecordedMethod[] = [...PAYMENT_METHODS, 'unknown'];

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
  /** Why a bank declined it: the profile's word, such as `insufficientFunds`. Absent where it has none. */
  reason?: string;
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

const referenceColumns = {
  reference: text(),
  /** How many payments were ever started for it: the N of `reference_N`. */
  attempts: integer(),
  /** Payments that are processing, waiting for the payer, or held. */
  livePaymentIds: json<string[]>(),
  /** Payments that succeeded and were not voided, the first announced one first. */
  paidPaymentIds: json<string[]>(),
  /** The latest session of this reference. */
  sessionId: orNull(text()),
  /** Payments of it that may have been made, though the store does not have them. */
  names: json<readonly PaymentName[]>(),
  /** Since when the gateway has not said of one of these what became of it; null: it has not been asked in vain. */
  heldSince: orNull(integer()),
  /** When these are asked about though nobody waits for it; null: there is none that is open. */
  namesDueAt: orNull(integer()),
};
/** One row for each merchant's reference. Everything about one reference is serialized on it. */
export const references = table('payment_references', ['reference'], referenceColumns);
/** The same with its version, which grows with every write under the reference. */
export const versionedReferences = table('payment_references', ['reference'], {
  ...referenceColumns,
  version: integer(),
});
export type ReferenceRecord = RecordOf<typeof referenceColumns>;

/** A reference that was never heard of. */
export function newReferenceRecord(reference: string): ReferenceRecord {
  return {
    reference,
    attempts: 0,
    livePaymentIds: [],
    paidPaymentIds: [],
    sessionId: null,
    names: [],
    heldSince: null,
    namesDueAt: null,
  };
}

/** Why a session was closed: by its merchant, after too many declines or payments, or because its payment was voided. */
export const CLOSED_REASONS = ['merchant', 'declines', 'attempts', 'voided'] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

export const sessions = table('checkout_sessions', ['id'], {
  id: text(),
  reference: text(),
  amount: amount(),
  currency: text(),
  status: text<SessionStatus>(),
  closedReason: orNull(text<ClosedReason>()),
  payer: orNull(json<Payer>()),
  billing: orNull(json<Billing>()),
  returnUrl: orNull(text()),
  methods: json<PaymentMethod[]>(),
  metadata: json<Record<string, string>>(),
  /** The language in which the merchant would have its page, a BCP 47 tag; null: none is said. */
  locale: orNull(text()),
  /** Issuer declines so far. */
  declines: integer(),
  /** The last sequence number given to an event of this session. */
  eventSequence: integer(),
  expiresAt: integer(),
  createdAt: integer(),
  updatedAt: integer(),
  /** When it left `open`. The retention of payer data counts from here. */
  finishedAt: orNull(integer()),
  redactedAt: orNull(integer()),
  /** By what it is found while its payer is known: see `sessions/payer-hashes.ts`. */
  emailHash: orNull(text()),
  phoneHash: orNull(text()),
});
export type SessionRecord = RecordOf<typeof sessions.columns>;

const paymentColumns = {
  id: text(),
  sessionId: text(),
  reference: text(),
  gatewayReference: text(),
  method: text<RecordedMethod>(),
  status: text<PaymentStatus>(),
  amount: amount(),
  currency: text(),
  amountAuthorized: orNull(amount()),
  amountCaptured: orNull(amount()),
  /** How much has been given back, as far as is known: refunds that succeeded, and what the gateway reports; null: nothing. */
  amountRefunded: orNull(amount()),
  /** How many refunds were ever begun for it: the M of `reference_N_rM`. */
  refundsMade: integer(),
  /** When the last of its refunds was learned to have succeeded; null: none has, or one before version 0.3.0. */
  refundedAt: orNull(integer()),
  /** Whether the gateway has said that the payer's bank took the money back, and not that it came back. */
  disputed: flag(),
  /** How much was charged back; null where nothing is, and for chargebacks of versions before 0.3.0: all that was left. */
  amountDisputed: orNull(amount()),
  /** When the last chargeback was heard of; null: none was, or of a version before 0.3.0. */
  disputedAt: orNull(integer()),
  /**
   * Since when a void of it is refused by time alone, or one that a person asked for in words: it may have been done after all. Null: none
   * is, or a person or the gateway has said since what became of it.
   */
  voidDoubtfulSince: orNull(integer()),
  /** When the shop was first told that it pays its order; null: never, or by a version before 0.3.0. */
  announcedPaidAt: orNull(integer()),
  /** When it was paid: the gateway's time where it says one that can be believed, otherwise when that was learned; null: not paid. */
  paidAt: orNull(integer()),
  nextAction: orNull(json<NextAction>()),
  pendingOperation: orNull(json<PendingOperation>()),
  duplicateOf: orNull(text()),
  needsAttention: flag(),
  /** Why attention is needed: a stable reason and, where an answer of the gateway caused it, that answer in short. */
  attentionReason: orNull(text()),
  /** The answer that a person's `resolve` settled. The same answer raises no attention again. */
  settledAnswer: orNull(text()),
  /** The last word after a success or a hold that the profile does not list: it raises attention once. */
  unlistedWord: orNull(text()),
  failure: orNull(json<Failure>()),
  cardBrand: orNull(text()),
  cardLast4: orNull(text()),
  /**
   * Keyed hashes for counting declines by card and by address. The network is the /48 of an IPv6 address, otherwise
   * null.
   */
  cardFingerprint: orNull(text()),
  addressFingerprint: orNull(text()),
  networkFingerprint: orNull(text()),
  /** The gateway's own name for the transaction. */
  transactionRef: orNull(text()),
  /** Values of the gateway's answers that later calls need, as the profile's `keep` names them; null: none. Never shown. */
  kept: orNull(json<Record<string, string>>()),
  metadata: json<Record<string, string>>(),
  /** One-time codes that were sent to the gateway. */
  otpsSent: integer(),
  /** Card PINs that were sent to the gateway after the card. */
  pinsSent: integer(),
  /** Whether the gateway has ever answered about this payment. */
  answered: flag(),
  /** Whether the gateway's last conclusive answer was that it waits for the payer. */
  waiting: flag(),
  /** How many answers in a row said that the gateway does not know the payment. */
  notKnownCount: integer(),
  /** When the gateway says that it ends this payment by itself; null where it has not said so. */
  gatewayExpiresAt: orNull(integer()),
  /** When the next status check is due; null: never. */
  nextStatusCheckAt: orNull(integer()),
  /** The last timeline note: the same one is not entered twice in a row. */
  lastTimelineNote: orNull(text()),
  /** How many status checks were made since the state last changed: the exponent of the backoff. */
  statusCheckCount: integer(),
  /** What the next status check is worth, see `payments/schedule/worth.ts`; a smaller number goes first. */
  statusCheckWorth: integer(),
  /**
   * How many status checks have followed the last notification; -1 if it came while one was under way, null where none
   * is followed.
   */
  notificationChecks: orNull(integer()),
  /** What the notifications that are followed claim, each claim once. */
  notificationClaims: orNull(json<string[]>()),
  /** Since when the outcome of the payment or of an operation on it is open without a conclusive answer. */
  openSince: orNull(integer()),
  /** How much time was seen to pass since its creation, in milliseconds: between answers, by processes that were running. */
  seenMs: integer(),
  /** When it was last heard of: its beginning, an operation's beginning or end, an answer. Null: not since 0.1.0. */
  answeredAt: orNull(integer()),
  /** When it was closed; null while live. */
  closedAt: orNull(integer()),
  /** Since when the money is held; null where none is, and for holds of version 0.1.0. */
  heldSince: orNull(integer()),
  /** When a person last said what became of it; null: nobody did. */
  resolvedAt: orNull(integer()),
  eventSequence: integer(),
  timelineSequence: integer(),
  leaseOwner: orNull(text()),
  leaseUntil: integer(),
  leaseFence: integer(),
  /** Grows with every write. */
  version: integer(),
  createdAt: integer(),
  updatedAt: integer(),
};
export const payments = table('payments', ['id'], paymentColumns);
export type PaymentRecord = RecordOf<typeof paymentColumns>;

const payColumns = {
  payStatus: orNull(text<OperationStatus>()),
  payOwner: orNull(text()),
  payActor: orNull(text()),
  payFormerCount: orNull(integer()),
  paySeenFromMs: orNull(integer()),
  payAcceptedAt: orNull(integer()),
  payUpdatedAt: orNull(integer()),
};
/**
 * The operation `pay` as columns of the payment that it began: nearly every payment has no other one. Its id and the time of
 * its beginning follow from the payment's. All null where a payment has none.
 */
export const payOfPayment = table('payments', [], payColumns);
export type PayColumns = RecordOf<typeof payColumns>;

/** A payment with the operation that began it. */
export const paymentRows = table('payments', ['id'], { ...paymentColumns, ...payColumns });
export type PaymentRow = PaymentRecord & PayColumns;

/** The whole row. Its timeline is only ever added to, a line of JSON an entry: see `timeline-lines.ts`. */
export const newPayments = table('payments', ['id'], { ...paymentColumns, ...payColumns, timeline: text() });

export const operations = table('operations', ['paymentId', 'id'], {
  id: text(),
  paymentId: text(),
  type: text<OperationType>(),
  status: text<OperationStatus>(),
  /** The amount to complete or to give back; null for other operations. */
  amount: orNull(amount()),
  /** A refund's, as a process of version 0.2.0 wrote it beside this version; otherwise null: it is a text of its own. */
  reason: orNull(text()),
  /** Why a refund is made, as the merchant said: see {@link writtenTexts}; null: nothing, and of other operations. */
  textId: orNull(text()),
  /** What the gateway knows a refund by; null for other operations. */
  refundReference: orNull(text()),
  /** How much was known to have been given back when a refund was begun; null for other operations. */
  refundedBefore: orNull(amount()),
  /** Whether the gateway said so much just before a refund was sent. Only then does a rise of it confirm the refund. */
  refundBaselineSaid: flag(),
  /** Whether the sum that the gateway says was heard to hold a settled refund. */
  inSum: flag(),
  /** When that sum was first heard to have fallen by a refund that was done; null: it has not. */
  fallHeardAt: orNull(integer()),
  /** The process that began it. */
  owner: text(),
  /** Who asked for it: `payer`, `policy`, `merchant` or, with a named key, `merchant:<name>`. */
  actor: text(),
  /** How many answers showed the state before the operation since it became unknown; 0 once it is refused in words. */
  formerCount: integer(),
  /** The payment's `seenMs` at the end of the operation's call; at its beginning where the call's end was not seen. */
  seenFromMs: integer(),
  /** When the gateway accepted it as pending; null where it has not. Then it is never taken for refused by time. */
  acceptedAt: orNull(integer()),
  createdAt: integer(),
  updatedAt: integer(),
});
export type OperationRecord = RecordOf<typeof operations.columns>;

/** What the row of a refund has besides what every operation has. */
export type RefundColumns = Pick<
  OperationRecord,
  'reason' | 'textId' | 'refundReference' | 'refundedBefore' | 'refundBaselineSaid' | 'inSum' | 'fallHeardAt'
>;

export const idempotencyKeys = table('idempotency_keys', ['scope', 'key'], {
  /** `session:<id>` or `merchant`. */
  scope: text(),
  key: text(),
  /** Keyed hash of the validated request without cvv, pin and otp, with the name of the key that made it. */
  fingerprint: text(),
  sessionId: orNull(text()),
  paymentId: orNull(text()),
  /**
   * The operation that finishes the request, or the approval that it waits for; null where the request finished when written, or is under
   * way until `runningUntil`.
   */
  operationId: orNull(text()),
  /** Until when a request without an operation may hold its key; null: it has finished. */
  runningUntil: orNull(integer()),
  createdAt: integer(),
  expiresAt: integer(),
});
export type IdempotencyRecord = RecordOf<typeof idempotencyKeys.columns>;

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
export const timelinePages = table('timeline_pages', ['paymentId', 'lastSequence'], {
  paymentId: text(),
  /** The number of the last entry in it. */
  lastSequence: integer(),
  /** A line of JSON an entry. */
  entries: text(),
});

export const DELIVERY_STATUSES = ['none', 'pending', 'delivered', 'gone', 'given_up'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * The events of one commit. Batches, not events, are put into the one order of all events, so a commit is placed by one
 * narrow row, and no event is ever written again for it.
 */
export const eventBatches = table('event_batches', ['id'], {
  /** Grows with each batch. Of two batches about one reference the later one has the greater id. */
  id: integer(),
  /**
   * Position in the order of all batches. The embedded store gives it in the commit, PostgreSQL after it; null until
   * then.
   */
  position: orNull(integer()),
});

/** The operation that an event is about. */
export interface EventOperation {
  type: OperationType;
  /** Decimal string in major units, for a completion or a refund. */
  amount?: string;
  /** Of a refund. */
  refundId?: string;
}

/** One event for the merchant: the outbox row, its place in the list of events and the state of its delivery. */
export const events = table('events', ['id'], {
  id: text(),
  type: text<EventType>(),
  /** The payment's or the session's id; events are delivered in order within it. */
  aggregateId: text(),
  /** The number of this event among those of its payment or session, from 1. */
  sequence: integer(),
  livemode: flag(),
  /** The gateway's answer came after the payment was closed unpaid. */
  late: flag(),
  /** The operation that it is about, for those that are. */
  operation: orNull(json<EventOperation>()),
  /** The payment or the session at this move, as JSON, just as it is sent. */
  data: text(),
  createdAt: integer(),
  /** The batch of events that it was committed with; null until the store has written it. */
  batch: orNull(integer()),
  /** Its number within the batch, in the order in which the commit named its events; null like `batch`. */
  ordinal: orNull(integer()),
  deliveryStatus: text<DeliveryStatus>(),
  attempts: integer(),
  nextAttemptAt: orNull(integer()),
  firstAttemptAt: orNull(integer()),
  lastResult: orNull(text()),
  leaseOwner: orNull(text()),
  leaseUntil: integer(),
});
export type EventRecord = RecordOf<typeof events.columns>;

/** One stored Transaction Notification, scrubbed. */
export const notifications = table('notifications', ['id'], {
  id: text(),
  receivedAt: integer(),
  /** Digest of the raw content. Repeats share a row. */
  digest: text(),
  mediaType: text(),
  body: text(),
  reference: orNull(text()),
  paymentId: orNull(text()),
  status: text<'received' | 'applied' | 'unmatched'>(),
  repeats: integer(),
  processedAt: orNull(integer()),
});
export type NotificationRecord = RecordOf<typeof notifications.columns>;

/** A named lease for work that only one process does at a time. */
export const leases = table('leases', ['name'], {
  name: text(),
  owner: orNull(text()),
  until: integer(),
  fence: integer(),
});
export type LeaseRecord = RecordOf<typeof leases.columns>;

/** A failed card payment, counted for the card-testing limits. */
export const declines = table('declines', ['id'], {
  /**
   * The payment's id: if the payment turns out to be paid, the decline no longer counts. (Rows of version 0.1.0 have
   * ids of their own.)
   */
  id: text(),
  addressFingerprint: text(),
  /** A keyed hash of the /48 of an IPv6 address; null for any other. */
  networkFingerprint: orNull(text()),
  cardFingerprint: text(),
  /** In halves of a decline: 2 for a decline or a card that the gateway rejected, 1 for an abandoned challenge. */
  weight: integer(),
  /** When it was written, by the store's own clock. */
  at: integer(),
});
export type DeclineRecord = RecordOf<typeof declines.columns>;

/** Something that is known of a store as a whole. */
export const meta = table('meta', ['name'], {
  name: text(),
  value: text(),
});

/** What the store has forgotten, as one of its processes found out. */
export const storeLosses = table('store_losses', ['id'], {
  id: text(),
  foundAt: integer(),
  /** The process. */
  foundBy: text(),
  /** The commits that were missing, and the histories: see `PostgresHistory`. */
  detail: json<{ missing: Commit[] }>(),
  /** When a person said that they know, and who did; null until then. */
  acceptedAt: orNull(integer()),
  acceptedBy: orNull(text()),
});
export type StoreLossRecord = RecordOf<typeof storeLosses.columns>;

/** Who did what, and what came of it. Rows are only added. */
export const audit = table('audit', ['id'], {
  id: text(),
  at: integer(),
  /** `merchant`, with a named key `merchant:<name>`; `unknown` of a refused key. */
  actor: text(),
  /** A verb. */
  action: text(),
  object: orNull(text()),
  address: orNull(text()),
  requestId: orNull(text()),
  /** `ok`, or a problem's code. */
  outcome: text(),
  /** More than one only of refused keys. */
  count: integer(),
});
export type AuditRecord = RecordOf<typeof audit.columns>;

/** One settlement report of the gateway, compared with the store. */
export const settlements = table('settlements', ['id'], {
  id: text(),
  /** Of the file: the same one twice is one comparison. While a comparison runs, its id in place of a digest. */
  digest: text(),
  receivedAt: integer(),
  actor: text(),
  /** The report's time, from its first row to its last; null where it names none. */
  firstAt: orNull(integer()),
  lastAt: orNull(integer()),
  rowCount: integer(),
  /** How many differences of each kind. */
  counts: json<Record<string, number>>(),
  /** When the comparison was complete; null while it runs. Nothing of one that is not is ever shown. */
  finishedAt: orNull(integer()),
  /** Rows that do not count: of another status, a fee, of a type that the profile does not list. */
  skipped: json<Record<string, number>>(),
  /** Rows that could not be read: how many, and where the first thousand of them stand. Null: none. */
  setAside: orNull(json<{ count: number; rows: readonly { line: number; column: string | null }[] }>()),
  /** When the first and the last of the payments were paid that the report names. */
  paidFrom: orNull(integer()),
  paidUntil: orNull(integer()),
  /** The merchant's own list that it was held against too: its digest, when, and how many orders it has. */
  ordersDigest: orNull(text()),
  ordersAt: orNull(integer()),
  orderCount: orNull(integer()),
  /** As versions before 0.3.0 keep them. */
  ordersFrom: orNull(integer()),
  ordersUntil: orNull(integer()),
  /** Its rows: see {@link settlementRows}. They count as soon as it names them. Null of a report that a version before 0.3.0 has compared. */
  rowsId: orNull(text()),
  /** Up to which line its rows are matched, and when all were; null: not yet, or by a version before 0.3.0. */
  matchedTo: integer(),
  matchedAt: orNull(integer()),
  /** How many of its rows settle a movement, and how many differ, those that an earlier report has too among them. */
  rowsMatched: integer(),
  rowsDifferent: integer(),
  /** By currency. */
  totals: json<readonly Readonly<Record<string, string>>[]>(),
  /** Whether its sender may hold orders up: payments that it names and the store does not have. */
  names: flag(),
  /** What the gateway's fees should be, as the profile said when it came. */
  fees: json<readonly object[]>(),
});
export type SettlementRecord = RecordOf<typeof settlements.columns>;

/** A row of a settlement report: what it says, as the report says it. One that an earlier report has too is not kept again. */
export const settlementRows = table('settlement_rows', ['rowsId', 'line'], {
  /** The rows of one reading of a file. They count once a report has them: see `settlements`. */
  rowsId: text(),
  /** The line in the file, the header being 1. */
  line: integer(),
  /** By which equal rows of several reports are known: a hash of what it says. */
  identity: text(),
  /** Which it is among the rows of its file that equal it, from 1. */
  nth: integer(),
  type: text(),
  /** The gateway's reference of the payment; empty where it is about none. */
  reference: text(),
  transactionRef: orNull(text()),
  /** By which name a refund goes. */
  refundRef: orNull(text()),
  /** The payout that it is part of, or is. */
  payout: orNull(text()),
  /** In major units, or with an `m` behind it in minor ones. */
  amount: text(),
  fee: orNull(text()),
  net: orNull(text()),
  currency: orNull(text()),
  /** When it was settled: a moment, or a day from its beginning to its end. */
  settledFrom: orNull(integer()),
  settledUntil: orNull(integer()),
});
export type SettlementRowRecord = RecordOf<typeof settlementRows.columns>;

/** Which movements reports have been seen to carry: what they never do is missing from none. */
export const settledKinds = table('settled_kinds', ['kind', 'currency', 'method'], {
  kind: text<MovementKind>(),
  currency: text(),
  method: text<RecordedMethod>(),
});
export type SettledKindRecord = RecordOf<typeof settledKinds.columns>;

/** Where reports, or the merchant's own list, and the ledger differ: each difference once, over all reports. */
export const differences = table('differences', ['id'], {
  id: text(),
  /** What it is about. There is one difference about it, however often it is found. */
  subject: text(),
  kind: text(),
  state: text<'open' | 'closed'>(),
  /** The report whose row it is about, or beside which the list was sent; null: no report is. */
  settlementId: orNull(text()),
  /** The line in the file, the header being 1; null where it has none. */
  line: orNull(integer()),
  /** The gateway's reference; of an order the merchant's; of a payout its name. */
  reference: text(),
  /** The merchant's, where it can be told. */
  orderReference: orNull(text()),
  paymentId: orNull(text()),
  movementId: orNull(text()),
  /** What the ledger has, in minor units; null: nothing. */
  expectedAmount: orNull(amount()),
  expectedCurrency: orNull(text()),
  /** What the file says, without its decimal point; null: nothing. */
  foundAmount: orNull(amount()),
  /** How many of its digits stand after the point; null: it is in minor units. */
  foundDecimals: orNull(integer()),
  foundCurrency: orNull(text()),
  transactionRef: orNull(text()),
  /** When its row was settled; of an order when its list came. */
  settledAt: orNull(integer()),
  /** Of one that no report has settled: when its money moved. */
  movedAt: orNull(integer()),
  /** Of a refund or a chargeback: how much must be known to have gone back before this is, in minor units; null: of another currency. */
  claimed: orNull(amount()),
  /** Of one that is settled twice: the report that has settled it first. */
  firstId: orNull(text()),
  /** What the row is about, its type; of an order what the merchant's list says of it. */
  said: orNull(text()),
  /** What is done about it, or was: see `settlement/difference.ts`. Null: nothing is. */
  step: orNull(text()),
  /** When something is to be done about it next. */
  dueAt: orNull(integer()),
  /** Who asked for what is done. */
  actor: orNull(text()),
  /** The latest note: see {@link writtenTexts}. */
  noteId: orNull(text()),
  /** Who closed it; null: it is open, or has closed itself. */
  closedBy: orNull(text()),
  closedAt: orNull(integer()),
  reason: orNull(text()),
});
export type DifferenceRecord = RecordOf<typeof differences.columns>;

/** Differences as versions before 0.3.0 keep them: for those that still run beside this one. */
const formerDifferences = table('settlement_differences', ['settlementId', 'number'], {
  settlementId: text(),
  /** From 1, in the order in which they were found. */
  number: integer(),
  kind: text(),
  /** The line in the file, the header being 1; null where it has none. */
  line: orNull(integer()),
  /** The gateway's reference; of an order the merchant's. */
  reference: text(),
  paymentId: orNull(text()),
  /** The amount that the file names, without its decimal point; null where it names none. */
  amount: orNull(amount()),
  /** How many of its digits stand after the point; null: it is in minor units. */
  decimals: orNull(integer()),
  /** The currency that the file names. */
  currency: orNull(text()),
  transactionRef: orNull(text()),
  settledAt: orNull(integer()),
  /** Of a refund or a chargeback: what reports say of it went back up to this row, in minor units; null: of another currency. */
  claimed: orNull(amount()),
  state: orNull(text()),
  dueAt: orNull(integer()),
  actor: orNull(text()),
});

export const MOVEMENT_KINDS = [
  'payment',
  'refund',
  'refund_reversal',
  'void',
  'chargeback',
  'chargeback_reversal',
  'correction',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** An entry of the ledger: money that a payment brought, or took away again. Written in the commit that learns of it, and never changed. */
export const movements = table('movements', ['id'], {
  id: text(),
  paymentId: text(),
  kind: text<MovementKind>(),
  /** `in`: to the merchant. */
  direction: text<'in' | 'out'>(),
  /** Above zero. */
  amount: amount(),
  currency: text(),
  method: text<RecordedMethod>(),
  /** When the money moved: the gateway's time where it says one that can be believed, otherwise when that was learned. */
  at: integer(),
  /** When it was written. */
  recordedAt: integer(),
  reference: text(),
  gatewayReference: text(),
  transactionRef: orNull(text()),
  /** The refund that it belongs to; null of other kinds, and of refunds that were made at the gateway's own dashboard. */
  refundId: orNull(text()),
  /** What a person wrote about it: see {@link writtenTexts}; null: nothing. */
  textId: orNull(text()),
  /** Who asked for it, or `gateway`. */
  actor: text(),
  /** Whose word it is. */
  source: text<'gateway' | 'person' | 'report'>(),
  /** The batch of events that it was committed with: its place in the order of all commits. Null until the store has written it, and of what a migration wrote. */
  batch: orNull(integer()),
});
export type MovementRecord = RecordOf<typeof movements.columns>;

/** What people wrote: reasons and notes. The ledger, the audit and differences hold the id alone, and erasure empties the content. */
export const writtenTexts = table('written_texts', ['id'], {
  id: text(),
  /** The payment that it is about; null: none. */
  paymentId: orNull(text()),
  /** Null: erased. */
  content: orNull(text()),
  actor: text(),
  at: integer(),
});
export type WrittenTextRecord = RecordOf<typeof writtenTexts.columns>;

/** A row of a settlement report that settles a movement, or a part of one. */
export const settlementMatches = table('settlement_matches', ['settlementId', 'line', 'movementId'], {
  settlementId: text(),
  /** The line in the file, the header being 1. */
  line: integer(),
  movementId: text(),
  /** Minor units of the movement's currency, above zero. */
  gross: amount(),
  fee: orNull(amount()),
  net: orNull(amount()),
  /** When it was settled, as the report says; null where it does not. */
  at: orNull(integer()),
  /** What of `gross` the sums of the ledger hold: see {@link movementSums}. It is less where they have not looked at it yet. */
  summed: amount(),
});
export type SettlementMatchRecord = RecordOf<typeof settlementMatches.columns>;

export const APPROVAL_STATES = ['waiting', 'approved', 'declined', 'expired'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** A refund that one person asked for and another one must approve. Decided once. */
export const approvals = table('approvals', ['id'], {
  id: text(),
  /** Never `expired`: one that waits beyond its time is that. See `approvals/approval.ts`. */
  state: text<Exclude<ApprovalState, 'expired'>>(),
  reference: text(),
  paymentId: text(),
  /** Minor units. */
  amount: amount(),
  currency: text(),
  /** What the asker wrote. */
  reason: orNull(text()),
  /** Who asked. */
  actor: text(),
  createdAt: integer(),
  expiresAt: integer(),
  decidedBy: orNull(text()),
  decidedAt: orNull(integer()),
  /** What the person who decided wrote. */
  note: orNull(text()),
  /** The refund that approving it began; null: none. */
  operationId: orNull(text()),
});
export type ApprovalRecord = RecordOf<typeof approvals.columns>;
/** What the movements of one day come to, as far as they have been summed. */
export const movementSums = table('movement_sums', ['day', 'currency', 'method', 'kind'], {
  /** Days since the epoch, of the time zone of the books. */
  day: integer(),
  currency: text(),
  method: text<RecordedMethod>(),
  kind: text<MovementKind>(),
  count: integer(),
  /** Minor units, below zero where more went out; in two halves, millions and the rest, so that the store can add up any number of them. */
  high: integer(),
  low: integer(),
  /** Those of them that reports have settled in whole. */
  settledCount: integer(),
  settledHigh: integer(),
  settledLow: integer(),
  /** Those of them that were written after the end of their month. */
  lateCount: integer(),
});
export type MovementSumRecord = RecordOf<typeof movementSums.columns>;

/** Every table, whole. The migrations yield just these (`schema.spec.ts`). */
export const TABLES = [
  versionedReferences,
  sessions,
  newPayments,
  operations,
  idempotencyKeys,
  timelinePages,
  eventBatches,
  events,
  notifications,
  declines,
  leases,
  meta,
  storeLosses,
  audit,
  settlements,
  formerDifferences,
  movements,
  writtenTexts,
  settlementMatches,
  approvals,
  movementSums,
  settlementRows,
  settledKinds,
  differences,
] as const;

/** The tables as Kysely sees them. */
export type Tables = {
  [T in (typeof TABLES)[number] as T['name']]: T extends Table<infer R> ? RowOf<R> : never;
};
