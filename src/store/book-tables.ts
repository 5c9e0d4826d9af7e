import type { Table } from './tables.js';

/** The tables of the books, which are laid out with the others (see decision 0010). They have one description, as all have. */

/** Who did what. An entry is written when it begins and once more when its outcome is known, and never again. */
export interface AuditRecord {
  id: string;
  /** Its number in the one order, without gaps; null until its outcome is known. */
  position: number | null;
  at: number;
  /** `merchant`, with a named key `merchant:<name>`, or the command line's user; `unknown` of a wrong key. */
  actor: string;
  /** A verb. */
  action: string;
  object: string | null;
  address: string | null;
  requestId: string | null;
  /** `ok`, or a problem's code; null until it is known. */
  outcome: string | null;
  /** How often it happened: more than once only of wrong keys. */
  count: number;
  /** The process that began it. */
  owner: string;
}

export const audit: Table<AuditRecord> = {
  name: 'audit',
  key: ['id'],
  appendOnly: true,
  columns: {
    id: 'text',
    position: 'integer',
    at: 'integer',
    actor: 'text',
    action: 'text',
    object: 'text',
    address: 'text',
    requestId: 'text',
    outcome: 'text',
    count: 'integer',
    owner: 'text',
  },
};

/** One settlement report of the gateway. */
export interface SettlementRecord {
  id: string;
  /** Of the file: the same one twice is one comparison. */
  digest: string;
  receivedAt: number;
  actor: string;
  /** The report's time, from its first row to its last. */
  firstAt: number | null;
  lastAt: number | null;
  rowCount: number;
  /** How many differences of each kind. */
  counts: Record<string, number>;
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
  },
};

/** Something that a report says otherwise than the store. */
export interface SettlementDifferenceRecord {
  settlementId: string;
  /** From 1, in the order in which they were found. */
  number: number;
  kind: string;
  /** The report's line, the header being 1; null where it has none. */
  line: number | null;
  reference: string;
  paymentId: string | null;
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
  },
};
