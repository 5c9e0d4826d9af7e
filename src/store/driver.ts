import { decodeOrder, decodePayment } from './document.js';
import type { StoreKind } from './schema.js';
import { LOAD, LOAD_OF, type StepName } from './statements.js';
import type { Lease, Sql, SqlValue, Stored } from './store.js';

/** One statement of a write. */
export type Step = readonly [name: StepName, ...values: SqlValue[]];

/** A write that was decided: the order's own statement first. */
export interface DecidedWrite {
  reference: string;
  rev: string;
  steps: Step[];
  /** It counts only where no other order has this transaction of the gateway. */
  ownTransaction?: string | undefined;
}

/** How many batches of one line of them, or heartbeats, are known to be committed. What is counted here and missing in the store is lost. */
export interface Mark {
  readonly writer: string;
  count: number;
}

/** Nothing of the batch was committed, nor will be. It may be decided again; `cause` is why the database refused one of its writes, if it did. */
export class NotCommitted extends Error {}

/** The store has forgotten batches of this mark. */
export class Forgotten extends NotCommitted {
  constructor(readonly mark: Mark) {
    super('the store has lost commits');
  }
}

/** A database as the writer uses it. Rejects with `StoreUnavailable` where it cannot be reached. */
export interface Driver {
  readonly kind: StoreKind;
  /** One for each batch that may be under way. */
  readonly marks: readonly Mark[];
  /** Of the heartbeats of this process. */
  readonly beat: Mark;
  /** Runs what prepares the store in one transaction that waits for no other process. Called before everything else. */
  prepare<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Commits a batch in one transaction. The writes are of different orders. Returns which of them counted. */
  commit(mark: Mark, writes: readonly DecidedWrite[]): Promise<boolean[]>;
  rows<R>(question: Sql): Promise<R[]>;
  returning<R>(statement: Sql): Promise<R[]>;
  run(statement: Sql): Promise<number>;
  /** When a connection broke last, by `performance.now()`: another server may answer now. */
  readonly brokenAt: number | undefined;
  /** Why the database must not be used, where that can be seen from outside. */
  fault(): string | undefined;
  close(): Promise<void>;
}

/** Runs one statement of a transaction, with `?` for each parameter. */
export type Query = (text: string, values?: readonly SqlValue[]) => Promise<Record<string, unknown>[]>;

export function newMarks(process: string): Pick<Driver, 'marks' | 'beat'> {
  const mark = (line: string): Mark => ({ writer: `${process}/${line}`, count: 0 });
  return { marks: [mark('a'), mark('b')], beat: mark('beat') };
}

/** An order with one of its payments. */
interface OrderRow {
  reference: string;
  rev: string;
  doc: string;
  id: string | null;
  payment: string | null;
  lease_owner: string | null;
  lease_until: number | null;
}

/** The orders as they are now. */
export async function loadOrders(driver: Driver, references: string[]): Promise<Map<string, Stored>> {
  const orders = ordersOf(
    await driver.rows({ text: LOAD[driver.kind], values: [JSON.stringify(references)], lookup: true }),
  );
  for (const reference of references)
    if (!orders.has(reference))
      orders.set(reference, { reference, rev: null, order: null, payments: [], leases: new Map() });
  return orders;
}

/** The order of a payment's or a session's id; undefined where there is none. */
export async function loadOrderOf(
  driver: Driver,
  of: keyof typeof LOAD_OF,
  id: string,
): Promise<Stored | undefined> {
  const orders = ordersOf(await driver.rows({ text: LOAD_OF[of], values: [id], lookup: true }));
  return orders.values().next().value;
}

function ordersOf(rows: readonly OrderRow[]): Map<string, Stored> {
  const orders = new Map<string, Stored & { leases: Map<string, Lease> }>();
  for (const row of rows) {
    const { reference, rev, doc, id, payment, lease_owner: owner, lease_until: until } = row;
    let stored = orders.get(reference);
    if (!stored) {
      stored = { reference, rev, order: decodeOrder(doc), payments: [], leases: new Map() };
      orders.set(reference, stored);
    }
    if (id === null || payment === null) continue;
    stored.payments.push(decodePayment(payment));
    if (owner !== null) stored.leases.set(id, { owner, until: Number(until) });
  }
  return orders;
}
