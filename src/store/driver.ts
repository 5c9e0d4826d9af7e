import { decodeOrder, decodePayment } from './document.js';
import type { PrepareOptions } from './prepare.js';
import type { SqlValue, Stored, Lease, Sql } from './store.js';

/** One statement of a write: its number in `STEP`, and its values. */
export type Step = readonly [number: number, ...values: SqlValue[]];

/** A write that was decided: the order's own statement first. */
export interface DecidedWrite {
  reference: string;
  rev: string;
  steps: Step[];
}

/** An order with one of its payments as a row: reference, rev, prev, doc, payment id, payment doc, lease owner, lease end. */
export type OrderRow = readonly (string | number | null)[];

/** What became of a batch that is committed. */
export interface Outcome {
  /** By write: whether it counted. */
  won: boolean[];
  /** The orders of those that did not, where they were read already. */
  lost: Map<string, Stored>;
}

/** Nothing of the batch was committed, nor will be. It may be decided again; `cause` is why the database refused one of its writes, if it did. */
export class NotCommitted extends Error {}

/** A database as the writer uses it. Rejects with `StoreUnavailable` where it cannot be reached. */
export interface Driver {
  /** Whether other processes write to it, so that a cached order may be an old one. */
  readonly shared: boolean;
  /** How many batches may be under way. */
  readonly slots: number;
  /** Orders that are not there are missing in the answer. */
  load(references: readonly string[]): Promise<Map<string, Stored>>;
  /** Commits a batch in one transaction. The writes are of different orders. */
  commit(slot: number, writes: readonly DecidedWrite[]): Promise<Outcome>;
  /** Decides and commits one write while nobody else can change its order. */
  alone(
    slot: number,
    reference: string,
    decide: (stored: Stored) => DecidedWrite | undefined,
  ): Promise<Outcome>;
  rows<R>(question: Sql): Promise<R[]>;
  returning<R>(statement: Sql): Promise<R[]>;
  run(statement: Sql): Promise<number>;
  /** An expression: the database's time in milliseconds. */
  readonly nowSql: string;
  /** Brings the schema up to date and claims the store. Returns its id. Called before everything else. */
  prepare(options: Omit<PrepareOptions, 'kind'>): Promise<string>;
  /** By writer: how many of its batches are known to be committed. */
  readonly marks: ReadonlyMap<string, number>;
  /** Writes down, in one transaction, that commits were lost and from where the writer counts on. Returns the time of the loss that counts. */
  recordLoss(at: number, writer: string): Promise<number>;
  /** Called where a batch finds that its writer's last one is missing. The batch waits for it, and is then `NotCommitted`. */
  onForgotten(listener: (writer: string) => Promise<void>): void;
  /** Why the database must not be used, where that can be seen from outside. */
  fault(): string | undefined;
  close(): Promise<void>;
}

/** An order that is not there. */
export function absent(reference: string): Stored {
  return { reference, rev: null, order: null, payments: [], leases: new Map() };
}

/** Reads rows of `LOAD_…`. */
export function decodeOrders(rows: Iterable<OrderRow>): Map<string, Stored> {
  const orders = new Map<string, Stored & { leases: Map<string, Lease> }>();
  for (const [reference, rev, , doc, id, payment, owner, until] of rows) {
    let stored = orders.get(String(reference));
    if (!stored) {
      stored = {
        reference: String(reference),
        rev: String(rev),
        order: decodeOrder(String(doc)),
        payments: [],
        leases: new Map(),
      };
      orders.set(stored.reference, stored);
    }
    if (typeof payment !== 'string') continue;
    stored.payments.push(decodePayment(payment));
    if (typeof owner === 'string') stored.leases.set(String(id), { owner, until: Number(until) });
  }
  return orders;
}
