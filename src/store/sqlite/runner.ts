import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * What is done on the connection that writes. Runs in a thread of its own, from a file that Node.js strips of its types: nothing here may need
 * more than that, and the imports of such files name them as they are.
 */

export type Value = string | number | null;

/** What must be so of a step of a batch. */
export const STEP = {
  any: 0,
  /** It changes one row, or else its write has lost against another one and nothing of that is written. */
  counts: 1,
  /** It changes one row, or else the batch fails. */
  must: 2,
  /** It is done once a transaction, whoever asks for it. */
  once: 3,
} as const;

/** So many numbers describe a step: its statement, how many values it takes, and what must be so. */
export const STEP_SIZE = 3;

/** The writes of a batch. Few objects, since each is copied. */
export interface BatchMessage {
  kind: 'batch';
  /** Statements that are new: the number of each, and its text. */
  texts: (number | string)[];
  /** See `STEP_SIZE`. */
  steps: number[];
  /** The values of all steps. */
  values: Value[];
  /** How many steps each write has; before these, how many come before all writes and must be done. */
  writes: number[];
  /** The generation that the writes were decided in. */
  generation: number;
}

/** One statement. */
export interface StatementMessage {
  kind: 'statement';
  sql: string;
  values: readonly Value[];
  /** Whether it may change what batches know of. */
  beside: boolean;
}

export type Reply =
  | { kind: 'written'; lost: number[]; generation: number }
  /** Others have written since, and nothing was. */
  | { kind: 'stale'; generation: number }
  /** The number of the step that did not change its row. */
  | { kind: 'failed'; step: number; generation: number }
  | { kind: 'rows'; rows: object[]; changes: number; lastInsertRowid: number; generation: number }
  | { kind: 'error'; message: string; code?: string; errcode?: number; generation: number };

/** How many single statements are kept compiled. More different ones are not expected. */
const MAX_CACHED_STATEMENTS = 500;

/** Opens the embedded store's file with a write-ahead log and an fsync at every commit. */
export function openConnection(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = full');
  database.exec('pragma temp_store = memory');
  database.exec('pragma trusted_schema = off');
  return database;
}

/** Runs messages on a connection, one after the other. */
export class Runner {
  readonly #database: DatabaseSync;
  readonly #committed: () => void;
  readonly #texts: string[] = [];
  readonly #prepared: (StatementSync | undefined)[] = [];
  readonly #statements = new Map<string, StatementSync>();
  /** Another one where any other connection has written since. */
  #othersVersion: number;
  /** Grows whenever something was written beside the batches. */
  #generation = 0;

  /** `committed` is called after each commit. */
  constructor(database: DatabaseSync, committed: () => void = () => undefined) {
    this.#database = database;
    this.#committed = committed;
    this.#othersVersion = this.#readOthersVersion();
  }

  /** Throws nothing. */
  run(message: BatchMessage | StatementMessage): Reply {
    try {
      return message.kind === 'batch' ? this.#batch(message) : this.#statement(message);
    } catch (error) {
      const { message: text, code, errcode } = error as { message: string; code?: string; errcode?: number };
      return { kind: 'error', message: text, code, errcode, generation: this.#generation };
    }
  }

  #batch(message: BatchMessage): Reply {
    const { texts } = message;
    for (let index = 0; index < texts.length; index += 2)
      this.#texts[texts[index] as number] = texts[index + 1] as string;
    const lost: number[] = [];
    for (;;) {
      const reply = this.#transaction(message, lost);
      if (reply) return reply;
    }
  }

  /** Undefined where a write has lost, which is noted then. */
  #transaction(message: BatchMessage, lost: number[]): Reply | undefined {
    const database = this.#database;
    database.exec('begin immediate');
    try {
      const others = this.#readOthersVersion();
      if (others !== this.#othersVersion) this.#generation += 1;
      this.#othersVersion = others;
      const generation = this.#generation;
      if (message.generation !== generation) {
        database.exec('rollback');
        return { kind: 'stale', generation };
      }
      const stopped = this.#steps(message, lost);
      if (stopped === undefined) {
        database.exec('commit');
        this.#committed();
        return { kind: 'written', lost, generation };
      }
      database.exec('rollback');
      if (stopped.rule === STEP.must) return { kind: 'failed', step: stopped.step, generation };
      lost.push(stopped.write);
      return undefined;
    } catch (error) {
      // A failed commit may have rolled back by itself already.
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  }

  /** Does all steps but those of writes that have lost. Returns the first that did not change its row though it had to. */
  #steps(
    { steps, values, writes }: BatchMessage,
    lost: readonly number[],
  ): { step: number; write: number; rule: number } | undefined {
    const done = new Set<number>();
    let step = 0;
    let at = 0;
    for (let group = 0; group < writes.length; group += 1) {
      const write = group - 1;
      const skipped = lost.includes(write);
      for (const end = step + (writes[group] ?? 0); step < end; step += 1) {
        const first = step * STEP_SIZE;
        const [id = 0, count = 0, rule = 0] = [steps[first], steps[first + 1], steps[first + 2]];
        const from = at;
        at += count;
        if (skipped || (rule === STEP.once && done.has(id))) continue;
        done.add(id);
        const { changes } = this.#prepare(id).run(...values.slice(from, at));
        if (changes !== 1 && (rule === STEP.counts || rule === STEP.must)) return { step, write, rule };
      }
    }
    return undefined;
  }

  #statement({ sql, values, beside }: StatementMessage): Reply {
    const database = this.#database;
    // A full disk has ended the transaction already, and is what is to be told.
    if (sql === 'rollback' && !database.isTransaction) return this.#rows([]);
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      if (this.#statements.size >= MAX_CACHED_STATEMENTS) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    if (beside) this.#generation += 1;
    if (statement.columns().length > 0) {
      const rows = statement.all(...values);
      this.#committed();
      return this.#rows(rows);
    }
    const { changes, lastInsertRowid } = statement.run(...values);
    this.#committed();
    return this.#rows([], Number(changes), Number(lastInsertRowid));
  }

  #rows(rows: object[], changes = 0, lastInsertRowid = 0): Reply {
    return { kind: 'rows', rows, changes, lastInsertRowid, generation: this.#generation };
  }

  #prepare(id: number): StatementSync {
    return (this.#prepared[id] ??= this.#database.prepare(this.#texts[id] ?? ''));
  }

  /** No other process uses the store, but a person may write into it by hand. */
  #readOthersVersion(): number {
    return Number(this.#database.prepare('pragma data_version').get()?.['data_version']);
  }
}
