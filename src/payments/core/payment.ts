/**
 * The documents of an order: what the store keeps and what `decide` reads and makes. Plain data: strings, numbers, booleans, bigints
 * (minor units), arrays and objects. Times are milliseconds since the epoch.
 */
import type { Failure, NextAction } from '../../gateway/fact.js';

export type { Failure, NextAction };

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
export type Status = (typeof PAYMENT_STATUSES)[number];

/** `unknown`: adopted after the store lost it. */
export const RECORDED_METHODS = ['card', 'wallet', 'transfer', 'ussd', 'unknown'] as const;
export type RecordedMethod = (typeof RECORDED_METHODS)[number];

export const OPERATION_TYPES = ['pay', 'otp', 'pin', 'complete', 'void', 'refund'] as const;
export type OperationType = (typeof OPERATION_TYPES)[number];

/** `intended`: committed, perhaps being sent. `unknown`: sent, or perhaps sent, without a trustworthy answer. */
export type OperationState = 'intended' | 'unknown' | 'confirmed' | 'refused';

/** One thing asked of the gateway that moves money or state. A refund is an operation whose id is the refund's. */
export interface Operation {
  /** `op_…`, or `ref_…` of a refund. */
  id: string;
  type: OperationType;
  state: OperationState;
  /** Of a completion or refund. */
  amount?: bigint;
  /** Of a refund: why, as the merchant wrote it. */
  reason?: string;
  /** Of a refund: what the gateway knows it by. Unguessable, never reused. */
  refundRef?: string;
  /** The process that committed it and alone may send it. */
  process: string;
  actor: string;
  since: number;
  endedAt?: number;
  /** Of a refund that succeeded and then bounced. */
  late?: true;
  /** Why it was refused, for the answer to a repeated call. */
  problem?: Refused;
}

/** Why an operation was refused: a problem code of the API with a detail that may be shown. */
export interface Refused {
  code: string;
  detail: string;
}

export const ATTENTION_REASONS = [
  'outcome_unknown',
  'operation_unknown',
  'differs',
  'contradicted',
  'duplicate',
  'refund_unexplained',
  'hold_ending',
] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** A reason why a person must look. */
export interface Attention {
  reason: AttentionReason;
  since: number;
  /** Reason, fact and amount: the same word does not raise it again after a person resolved it. */
  word: string;
}

/** When and how urgently the gateway is asked about a payment. The store derives columns from it. */
export interface Check {
  /** Next status query; null: none. */
  at: number | null;
  /** Queries since the schedule began. */
  attempts: number;
  urgent: boolean;
  /** When the schedule began: backing off is reckoned from here. */
  since: number;
}

/** One line of a payment's timeline. */
export interface TimelineEntry {
  type: EntryType;
  at: number;
  actor: string | null;
  from?: Status;
  to?: Status;
  late?: true;
  detail?: Record<string, string | number | boolean>;
}

/** What a timeline can hold, besides moves (`moved`). */
export type EntryType =
  | 'created'
  | 'moved'
  | 'sent'
  | 'confirmed'
  | 'refused'
  | 'unknown'
  | 'refunded'
  | 'refund_failed'
  | 'refund_reversed'
  | 'disputed'
  | 'dispute_won'
  | 'corrected'
  | 'duplicate'
  | 'attention'
  | 'attention_ended'
  | 'resolved'
  | 'adopted'
  | 'approval_asked'
  | 'erased';

export interface Card {
  brand: string;
  last4: string;
  /** A keyed hash of the number, for card testing. Never shown. */
  hash: string;
}

/** One attempt to pay, by one method. */
export interface Payment {
  id: string;
  reference: string;
  sessionId: string;
  /** Counts every payment of the order from 1, never reused. */
  n: number;
  /** `client_ref`: prefix, reference, separator, N. */
  gatewayReference: string;
  transactionRef: string | null;
  method: RecordedMethod;
  status: Status;
  amount: bigint;
  currency: string;
  /** What was held; null: nothing. */
  authorized: bigint | null;
  /** payment ± correction of the ledger. */
  captured: bigint;
  /** What persons corrected `captured` by; may be below zero. */
  corrected: bigint;
  /** refund − refund_reversal. */
  refunded: bigint;
  /** chargeback − chargeback_reversal. */
  disputedAmount: bigint;
  /** void − void_reversal: what was reversed after capture. */
  reversed: bigint;
  /** A dispute is open, or was lost. */
  disputed: boolean;
  nextAction: NextAction | null;
  operations: Operation[];
  /** The payment that pays the order, where this one is its duplicate. */
  duplicateOf: string | null;
  /** `DUPLICATE_POLICY=void` has had its one try. */
  voidTried: boolean;
  attention: Attention[];
  /** Words of attention that a person has resolved. */
  resolvedWords: string[];
  failure: Failure | null;
  card: Card | null;
  metadata: Record<string, string>;
  /** What the profile's `keep` took from answers and notifications: sent in later calls, never shown. */
  kept: Record<string, string>;
  /** When the last trustworthy answer about it came; null: none has. */
  answeredAt: number | null;
  /** The gateway has said that it waits. */
  waited: boolean;
  /** Explicit denials so far (P4). */
  denials: { count: number; last: number };
  /** The end that the gateway gave to what it waits for. */
  gatewayExpiresAt: number | null;
  check: Check;
  /** Counts its events. */
  sequence: number;
  timeline: TimelineEntry[];
  /** It was adopted: there is no intent of ours. */
  adopted: boolean;
  /** When its start was committed; successes dated well before it are not ours. */
  createdAt: number;
  updatedAt: number;
  /** When it was captured, at the gateway's time where it gives one. */
  paidAt: number | null;
  /** When it last changed its status. */
  statusSince: number;
}

export const SESSION_STATUSES = ['open', 'paid', 'expired', 'closed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];
export type ClosedReason = 'merchant' | 'declines' | 'attempts' | 'voided';

/** Who pays. Personal data: erased by redaction, never in an event or a timeline. */
export interface Payer {
  email?: string;
  phone?: string;
  firstName?: string;
  lastName?: string;
}

/** Where the payer is billed. Personal data, like the payer. */
export interface Billing {
  street?: string;
  city?: string;
  stateProvince?: string;
  postCode?: string;
  /** ISO 3166-1 alpha-3. */
  country?: string;
}

/** What the payer owes. */
export interface Session {
  id: string;
  amount: bigint;
  currency: string;
  status: SessionStatus;
  closedReason: ClosedReason | null;
  payer: Payer;
  billing: Billing;
  returnUrl: string | null;
  methods: ('card' | 'wallet' | 'transfer' | 'ussd')[];
  locale: string | null;
  metadata: Record<string, string>;
  /** Issuers' declines so far. */
  declines: number;
  /** Payments started so far. */
  started: number;
  sequence: number;
  expiresAt: number;
  createdAt: number;
  /** When it left `open`; retention counts from here. */
  endedAt: number | null;
  /** A keyed hash of the payer's e-mail, for search; null once erased. */
  emailHash: string | null;
  redactedAt: number | null;
  /** It was redacted, and its events, approvals and ledger entries are still to be. */
  leftToErase?: true;
}

/** An idempotency key that was used for this order. */
export interface Key {
  /** `merchant`, or the session id of a client token. */
  caller: string;
  key: string;
  /** Method and path, ids included. */
  path: string;
  /** A keyed hash of the content, without cvv, pin and otp. */
  fingerprint: string;
  /** What the call made or moved. */
  resource: { type: 'session' | 'payment' | 'refund' | 'approval'; id: string; paymentId?: string };
  /** The operation that it sent, if it did. */
  operation?: string;
}

/** Everything under one merchant reference: the only unit of locking. */
export interface Order {
  reference: string;
  /** The highest N that was given out. */
  attempts: number;
  /** The live payment. */
  live: string | null;
  /** The payment that pays. */
  payer: string | null;
  /** Payments that succeeded besides the one that pays, oldest first. */
  duplicates: string[];
  sessions: Session[];
  keys: Key[];
  /** The time of the loss after which the gateway was last asked for payments that are missing here. */
  probed: number | null;
  /** When an open session ends by time; null: none is open. The store finds orders by it. */
  dueAt: number | null;
}

/** All that is known of an order. `order` is null where nothing is. */
export interface OrderState {
  reference: string;
  order: Order | null;
  payments: Payment[];
}

type Given =
  | (
      | 'id'
      | 'reference'
      | 'sessionId'
      | 'n'
      | 'gatewayReference'
      | 'method'
      | 'status'
      | 'amount'
      | 'currency'
    )
  | ('denials' | 'check' | 'sequence' | 'createdAt' | 'updatedAt' | 'statusSince');

/** What a payment has of which nothing is known yet; a stored text leaves these out. */
export const blankPayment = (): Omit<Payment, Given> => ({
  ...{
    transactionRef: null,
    authorized: null,
    nextAction: null,
    duplicateOf: null,
    failure: null,
    card: null,
  },
  ...{ gatewayExpiresAt: null, answeredAt: null, paidAt: null },
  ...{ disputed: false, voidTried: false, waited: false, adopted: false },
  ...{ captured: 0n, corrected: 0n, refunded: 0n, disputedAmount: 0n, reversed: 0n },
  ...{ operations: [], attention: [], resolvedWords: [], timeline: [], metadata: {}, kept: {} },
});

const LIVE: readonly Status[] = ['processing', 'requires_action', 'authorized'];

/** Whether the payment may still become paid by itself. */
export function isLive(payment: Payment): boolean {
  return LIVE.includes(payment.status);
}

/** What the payment holds, and can be refunded: captured, less what was given back, reversed or charged back, in minor units. */
export function moneyHeld(payment: Payment): bigint {
  return payment.captured - payment.refunded - payment.reversed - payment.disputedAmount;
}

/** Whether the payment holds money. */
export function holdsMoney(payment: Payment): boolean {
  return moneyHeld(payment) > 0n;
}

/** The open operation: `intended` or `unknown`. A payment has at most one. */
export function openOperation(payment: Payment): Operation | undefined {
  return payment.operations.find(
    (operation) => operation.state === 'intended' || operation.state === 'unknown',
  );
}
