import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { readBatch, type BatchStep, type BatchValue } from './batch-text.ts';

/**
 * A connection to the embedded store's file, and what its threads do. Node.js strips the types of this file: nothing here may need more than
 * that, and it imports other files of its kind by their own names.
 */

/** A batch, as `batchText` writes it. */
export interface BatchMessage {
  batch: string;
}
/** One statement of its own. */
export interface StatementMessage {
  sql: string;
  values: readonly BatchValue[];
}
/** Commits were lost: written down, and counting goes on. */
export interface LossMessage {
  lostAt: number;
}
export type Message = BatchMessage | StatementMessage | LossMessage;

export type Reply =
  /** `mark`: how many batches were committed. */
  | { won: boolean[]; mark: number }
  | { rows: object[]; changes: number }
  /** The store has forgotten batches. Nothing was written. */
  | { forgotten: true }
  | { error: string; code?: string; errcode?: number };

export interface ThreadData {
  file: string;
  readOnly: boolean;
  /** The statements of a write by number. */
  texts: string[];
}

const WRITER = 'embedded';
/** Statements that are kept compiled. */
const MAX_STATEMENTS = 300;

/** Opens the file with a write-ahead log and a sync at every commit. */
export function openConnection(file: string, readOnly = false): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000, readOnly });
  if (!readOnly) {
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = full');
    database.exec('pragma journal_size_limit = 67108864');
  }
  database.exec('pragma temp_store = memory');
  database.exec('pragma trusted_schema = off');
  return database;
}

/** Compiles each statement once. */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #compiled = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): StatementSync {
    let statement = this.#compiled.get(sql);
    if (!statement) {
      if (this.#compiled.size >= MAX_STATEMENTS) this.#compiled.clear();
      statement = this.#database.prepare(sql);
      this.#compiled.set(sql, statement);
    }
    return statement;
  }

  /** Runs a statement; its rows, or none. */
  run({ sql, values }: StatementMessage): { rows: object[]; changes: number } {
    const statement = this.get(sql);
    if (statement.columns().length === 0)
      return { rows: [], changes: Number(statement.run(...values).changes) };
    const rows = statement.all(...values);
    return { rows, changes: rows.length };
  }
}

/** What a thread does with its messages, one after the other. */
export class Runner {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #steps: StatementSync[] = [];
  readonly #texts: string[];
  readonly #counts: number[];
  #mark: number | undefined;

  constructor(database: DatabaseSync, texts: string[]) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#texts = texts;
    this.#counts = texts.map((text) => text.split('?').length - 1);
  }

  /** Throws nothing. */
  run(message: Message): Reply {
    try {
      if ('batch' in message) return this.#transaction(() => this.#batch(message));
      if ('lostAt' in message) return this.#transaction(() => this.#loss(message.lostAt));
      return this.#statements.run(message);
    } catch (error) {
      const { message: text, code, errcode } = error as { message: string; code?: string; errcode?: number };
      return { error: text, code, errcode };
    }
  }

  #transaction(work: () => Reply): Reply {
    this.#database.exec('begin immediate');
    const mark = this.#mark;
    try {
      const reply = work();
      this.#database.exec('commit');
      return reply;
    } catch (error) {
      this.#mark = mark;
      // A failed commit may have rolled back by itself.
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  #batch({ batch }: BatchMessage): Reply {
    const found = this.#storedMark();
    if (found !== (this.#mark ?? found)) return { forgotten: true };
    const mark = found + 1;
    this.#statements.run({ sql: 'update marks set mark = ? where writer = ?', values: [mark, WRITER] });
    const won = readBatch(batch, (step) => this.#counts[step] ?? 0).map((steps) => this.#write(steps));
    this.#mark = mark;
    return { won, mark };
  }

  /** Whether the write counted: whether its first step changed its row. */
  #write(steps: readonly BatchStep[]): boolean {
    let first = true;
    for (const [step, ...values] of steps) {
      const { changes } = this.#step(step).run(...values);
      if (first && changes !== 1) return false;
      first = false;
    }
    return true;
  }

  #loss(lostAt: number): Reply {
    const mark = Math.max(this.#mark ?? 0, this.#storedMark()) + 1;
    this.#statements.run({
      sql: `insert into meta (name, value) values ('restored', ?) on conflict (name) do update set value = excluded.value`,
      values: [String(lostAt)],
    });
    this.#statements.run({
      sql: `insert into marks (writer, mark, before, at) values (?, ?, 0, ?) on conflict (writer) do update set mark = excluded.mark`,
      values: [WRITER, mark, lostAt],
    });
    this.#mark = mark;
    return { won: [], mark };
  }

  #storedMark(): number {
    const row = this.#statements.get('select mark from marks where writer = ?').get(WRITER);
    return Number(row?.['mark'] ?? -1);
  }

  #step(step: number): StatementSync {
    return (this.#steps[step] ??= this.#database.prepare(this.#texts[step] ?? ''));
  }
}
