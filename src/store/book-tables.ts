import type { Table } from './tables.js';

/** The tables of the books, which are laid out with the others (see decision 0010). They have one description, as all have. */

/** An act that was begun. Its entry in the audit is written when its outcome is known, and then this is of no use any more. */
export interface BegunActRecord {
  /** The entry's. */
  id: string;
  at: number;
  /** `merchant`, with a named key `merchant:<name>`, or the command line's user; `unknown` of a wrong key. */
  actor: string;
  /** A verb. */
  action: string;
  object: string | null;
  address: string | null;
  requestId: string | null;
  /** The process that began it. */
  owner: string;
}

const begunActColumns = {
  id: 'text',
  at: 'integer',
  actor: 'text',
  action: 'text',
  object: 'text',
  address: 'text',
  requestId: 'text',
  owner: 'text',
} as const;

export const begunActs: Table<BegunActRecord> = {
  name: 'begun_acts',
  key: ['id'],
  appendOnly: true,
  columns: begunActColumns,
};

/** Who did what, and how it came out. Entries are only added. */
export interface AuditRecord extends BegunActRecord {
  /** Its number in the one order, without gaps; null until it is written. */
  position: number | null;
  /** `ok`, or a problem's code. */
  outcome: string;
  /** How often it happened: more than once only of wrong keys. */
  count: number;
}

export const audit: Table<AuditRecord> = {
  name: 'audit',
  key: ['id'],
  appendOnly: true,
  columns: { ...begunActColumns, position: 'integer', outcome: 'text', count: 'integer' },
};

/** One settlement report of the gateway, compared with the store. */
export interface SettlementRecord {
  id: string;
  /** Of the file: the same one twice is one comparison. While a comparison runs, its id in place of a digest. */
  digest: string;
  receivedAt: number;
  actor: string;
  /** The report's time, from its first row to its last; null where it names none. */
  firstAt: number | null;
  lastAt: number | null;
  rowCount: number;
  /** How many differences of each kind. */
  counts: Record<string, number>;
  /** When the comparison was complete; null while it runs. Nothing of one that is not is ever shown. */
  finishedAt: number | null;
  /** Rows that do not count: of another status, a fee, of a type that the profile does not list. */
  skipped: Record<string, number>;
  /** When the first and the last of the payments were paid that the report names. */
  paidFrom: number | null;
  paidUntil: number | null;
  /** The merchant's own list that it was held against too: its digest, when, and how many orders it has. */
  ordersDigest: string | null;
  ordersAt: number | null;
  orderCount: number | null;
  /** The numbers of the first and the last difference that the list has. Others of its kinds belong to none. */
  ordersFrom: number | null;
  ordersUntil: number | null;
}

export const settlements: Table<SettlementRecord> = {
  name: 'settlements',
  key: ['id'],
  columns: {
    id: 'text',
    digest: 'text',
    receivedAt: 'integer',
    actor: 'text',
    firstAt: 'integer',
    lastAt: 'integer',
    rowCount: 'integer',
    counts: 'json',
    finishedAt: 'integer',
    skipped: 'json',
    paidFrom: 'integer',
    paidUntil: 'integer',
    ordersDigest: 'text',
    ordersAt: 'integer',
    orderCount: 'integer',
    ordersFrom: 'integer',
    ordersUntil: 'integer',
  },
};

/** Something that a report, or the merchant's list, says otherwise than the store. */
export interface SettlementDifferenceRecord {
  settlementId: string;
  /** From 1, in the order in which they were found. */
  number: number;
  kind: string;
  /** The line in the file, the header being 1; null where it has none. */
  line: number | null;
  /** The gateway's reference; of an order the merchant's. */
  reference: string;
  paymentId: string | null;
  /** The amount that the file names, without its decimal point; null where it names none. */
  amount: bigint | null;
  /** How many of its digits stand after the point; null: it is in minor units. */
  decimals: number | null;
  /** The currency that the file names. */
  currency: string | null;
  transactionRef: string | null;
  settledAt: number | null;
  /** Of a refund or a chargeback: what reports say of it went back up to this row, in minor units; null: of another currency. */
  claimed: bigint | null;
  /** What is done about it, or was: see `settlement/difference-state.ts`. Null: nothing is. */
  state: string | null;
  /** When something is to be done about it next. */
  dueAt: number | null;
  /** Who asked for what is done. */
  actor: string | null;
}

export const settlementDifferences: Table<SettlementDifferenceRecord> = {
  name: 'settlement_differences',
  key: ['settlementId', 'number'],
  columns: {
    settlementId: 'text',
    number: 'integer',
    kind: 'text',
    line: 'integer',
    reference: 'text',
    paymentId: 'text',
    amount: 'amount',
    decimals: 'integer',
    currency: 'text',
    transactionRef: 'text',
    settledAt: 'integer',
    claimed: 'amount',
    state: 'text',
    dueAt: 'integer',
    actor: 'text',
  },
};

/** A row of a report that says that money of a payment went back. Every such row of every report is kept. */
export interface SettlementReturnRecord {
  settlementId: string;
  /** The line in the file, the header being 1. */
  line: number;
  /** The gateway's reference. */
  reference: string;
  kind: 'refund' | 'chargeback';
  /** A hash of what the row says: equal rows of two reports are the same movement. */
  identity: string;
  /** As the file names it: see {@link SettlementDifferenceRecord}. */
  amount: bigint;
  decimals: number | null;
  currency: string | null;
}

export const settlementReturns: Table<SettlementReturnRecord> = {
  name: 'settlement_returns',
  key: ['settlementId', 'line'],
  columns: {
    settlementId: 'text',
    line: 'integer',
    reference: 'text',
    kind: 'text',
    identity: 'text',
    amount: 'amount',
    decimals: 'integer',
    currency: 'text',
  },
};
