import type { Order, OrderState, Payment } from '../payments/core/payment.js';

/** A lock with an owner and an end, kept in columns of its payment. */
export interface Lease {
  /** `<process>:<token>`: a new token for each query or operation. */
  owner: string;
  /** By the store's clock, in milliseconds since the epoch. */
  until: number;
}

/** An order as the store has it. */
export interface Stored extends OrderState {
  /** Random, new with each write; null where there is no such order yet. */
  rev: string | null;
  /** Leases by payment id, ended ones too. Of a cached order, those that other processes took meanwhile are missing: `Change.guard` decides. */
  leases: ReadonlyMap<string, Lease>;
}

/** An event of the outbox. */
export interface EventRow {
  /** `evt_…`, also the `webhook-id`. */
  id: string;
  /** The payment or session whose order of events it belongs to. */
  stream: string;
  paymentId: string | null;
  sequence: number;
  type: string;
  /** The whole event as JSON text, sent as it is. */
  body: string;
  at: number;
}

export type MovementKind =
  | 'payment'
  | 'refund'
  | 'refund_reversal'
  | 'void'
  | 'void_reversal'
  | 'chargeback'
  | 'chargeback_reversal'
  | 'correction';

/** Money that moved: one entry of the ledger, written in the commit that learned of it, never changed. */
export interface MovementRow {
  /** `mov_…` */
  id: string;
  kind: MovementKind;
  direction: 'in' | 'out';
  /** Minor units, above zero. */
  amount: bigint;
  currency: string;
  /** The gateway's time where it gives one that can be believed, else when it was learned. */
  at: number;
  recordedAt: number;
  /** Recorded after its month had ended. */
  late: boolean;
  paymentId: string;
  reference: string;
  gatewayReference: string;
  transactionRef: string | null;
  refundId: string | null;
  method: string;
  actor: string | null;
  /** A refund's reason or a person's note; erased by redaction. */
  reason: string | null;
  source: 'gateway' | 'person';
}

/** A declined or rejected card, for card testing. */
export interface DeclineRow {
  id: string;
  /** IPv6: its /64. */
  address: string;
  /** The keyed hash of the number. */
  card: string;
  at: number;
}

/** A refund that waits for, or has had, a second key. */
export interface ApprovalRow {
  /** `apr_…` */
  id: string;
  paymentId: string;
  reference: string;
  state: 'waiting' | 'approved' | 'declined' | 'expired';
  expiresAt: number;
  createdAt: number;
  /** The approval as JSON text. */
  doc: string;
}

/** What one write changes. Everything in it is one commit. */
export interface Change {
  order: Order;
  /** New and changed payments only. */
  payments: Payment[];
  events: EventRow[];
  movements: MovementRow[];
  declines?: DeclineRow[];
  approvals?: ApprovalRow[];
  /** Sets or (null) releases the lease of a payment. */
  leases?: { payment: string; lease: Lease | null }[];
  /** The write counts only while this owner still has the payment's lease; else `decide` runs again. */
  guard?: { payment: string; owner: string };
  /** The write counts only while no other order has this transaction of the gateway; else `decide` runs again. */
  ownTransaction?: string;
}

/**
 * Synchronous and repeatable: it runs again on what the store has, where another write came first, with the same `now`. It changes nothing
 * of what it is given, since that is cached. It draws no id: see `mint`.
 */
export type Decide<T> = (stored: Stored, now: number) => { change?: Change; result: T };

export type SqlValue = string | number | bigint | null;

/** A statement that both stores understand, with `?` for each parameter. Sums of amounts are read as text: `cast(sum(amount) as text)`. */
export interface Sql {
  text: string;
  values?: readonly SqlValue[];
  /** It finds a few rows by an index and its text is always the same: it is prepared once, and answered where that is quickest. */
  lookup?: boolean;
}

export interface WriteOptions {
  /** Never refused as `Overloaded`: for what the gateway answered, whose number is bounded by what was begun. */
  always?: boolean;
}

/** The store of one Tillfront: embedded (SQLite) or PostgreSQL. Every method but `now` rejects with `StoreUnavailable` where it cannot be reached. */
export abstract class Store {
  abstract readonly kind: 'embedded' | 'postgres';
  /** Names this process in operations, leases and heartbeats. */
  abstract readonly process: string;
  /** The only way in which an order changes. Resolves after its commit is durable. Rejects with `Overloaded` before anything is recorded where too many wait. */
  abstract write<T>(reference: string, decide: Decide<T>, options?: WriteOptions): Promise<T>;
  /** An order as it is now. */
  abstract read(reference: string): Promise<Stored>;
  /** The order of a payment's or a session's id; undefined where there is none. */
  abstract readOf(of: 'payment' | 'session', id: string): Promise<Stored | undefined>;
  /** A session's order as this process last saw it, if it remembers: only to decide on. A write finds out whether another came first. */
  abstract remembered(sessionId: string): Stored | undefined;
  /** Reads rows; values are strings, numbers and null. */
  abstract rows<R>(question: Sql): Promise<R[]>;
  /** A statement that changes rows and returns some of them, as a claim does. */
  abstract returning<R>(statement: Sql): Promise<R[]>;
  /** One statement outside of any order. Returns how many rows it changed. */
  abstract run(statement: Sql): Promise<number>;
  /** Takes or renews a named lease of this process. */
  abstract lease(name: string, ms: number): Promise<boolean>;
  /** Called after each commit of this process, in the order of commits. */
  abstract onCommitted(listener: (change: Change) => void): void;
  /** Milliseconds since the epoch: on PostgreSQL the database's time as last measured, so that replicas agree. */
  abstract now(): number;
  /** Why no payment could be recorded now; undefined where one could. Never rejects. */
  abstract unusable(): Promise<string | undefined>;
  /** When the loss of commits was noticed; undefined: none, or trusted again, or 30 days ago. */
  abstract readonly restoredAt: number | undefined;
  /** When this process, while it ran, learned of a loss; by the store's clock. */
  abstract readonly lossSeenAt: number | undefined;
  abstract close(): Promise<void>;
}
