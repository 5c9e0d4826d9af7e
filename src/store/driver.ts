import type { StoredPayment } from './payment-row.js';
import type { Changes, DeclineCounts, Snapshot, Wanted } from './payment-writer.js';
import type { StoredRow, Table } from './table.js';

/** A snapshot, and what it rests on. */
export interface Loaded {
  snapshot: Snapshot;
  /** The version of the reference's row; undefined: there is none yet. */
  version: number | undefined;
  /** The payments of the snapshot as they stand in their rows. */
  stored: readonly StoredPayment[];
}

/** A decided write: what it changes, and what it was decided on. */
export interface Write {
  changes: Changes;
  loaded: Loaded;
  /** It counts only while these are not more than they may be. Undefined: they were counted, or nobody asks. */
  fewDeclines?: DeclineQuestion;
}

/** The version of its reference after a write. */
export function versionAfter({ loaded }: Write): number {
  return (loaded.version ?? 0) + 1;
}

/** Rows of a table that a store is asked for. */
export interface Question<R> {
  readonly name: string;
  readonly table: Table<R>;
  /** Their condition. `given(n)` is what follows a column that is one of the n-th list of values. */
  readonly where: (given: (n: number) => string) => string;
  /** `given(1)` follows two columns, whose values are pairs: one of the first list with the one beside it in the second. */
  readonly pairs?: boolean;
  /** Whether a session that locks, locks these. */
  readonly locks?: boolean;
}

export type DeclineQuestion = NonNullable<Wanted['declines']>;

/** Answers questions by one view of the store. Those that are asked at once are sent together. */
export interface Reader {
  rows<R>(question: Question<R>, ...lists: readonly (readonly string[])[]): Promise<StoredRow[]>;
  /** Counts declines, in the order of the questions. */
  declines(asked: readonly DeclineQuestion[]): Promise<DeclineCounts[]>;
}

/** What a batch has of the store from its first question to its commit. */
export interface StoreSession {
  /** With `lock` no other process writes what is read until it is saved, where the store has other processes. */
  read<T>(lock: boolean, ask: (reader: Reader) => Promise<T>): Promise<T>;
  /** Writes those whose references are still as they were read, in one commit. Returns the references of these. */
  save(writes: readonly Write[]): Promise<ReadonlySet<string>>;
}

/** One of the two stores, as batches use it. */
export interface StoreDriver {
  /** How many batches may run at once. */
  readonly concurrency: number;
  /** Grows whenever what was known of rows may no longer be so. */
  readonly generation: number;
  /** Whether a payment is only ever begun on what was just read. */
  readonly beginsOnRead: boolean;
  /** Gives a session to a batch, and ends it. Rejects with `DecideAgain` where nothing was written and all can be decided anew. */
  session<T>(work: (session: StoreSession) => Promise<T>): Promise<T>;
}

/** Somebody else has written meanwhile what a batch was decided on. Nothing of it was written. */
export class DecideAgain extends Error {}
