import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * A connection to the embedded store's file, and what its threads do. Node.js strips the types of this file: nothing here may need more than
 * that.
 */

type Value = string | number | bigint | null;

type Step = readonly [name: string, ...values: Value[]];

/** A batch: the number that its mark has, and the steps of its writes. */
export interface BatchMessage {
  writer: string;
  count: number;
  writes: readonly (readonly Step[])[];
}
/** One statement of its own. */
export interface StatementMessage {
  sql: string;
  values: readonly Value[];
}
export type Message = BatchMessage | StatementMessage;

export type Reply =
  /** By write: whether it counted. Undefined: the store has forgotten batches, and nothing was written. */
  | { won: boolean[] | undefined }
  | { rows: object[]; changes: number }
  | { error: string; code?: string; errcode?: number };

export interface ThreadData {
  file: string;
  readOnly: boolean;
  /** The statements of a write by name. */
  texts: Readonly<Record<string, string>>;
}

/** Statements that are kept compiled. */
const MAX_STATEMENTS = 300;
const MOVE_MARK = 'update marks set mark = mark + 1 where writer = ? and mark = ?';

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

/** Runs statements, compiled once, and batches. */
export class Runner {
  readonly #database: DatabaseSync;
  readonly #texts: Readonly<Record<string, string>>;
  readonly #compiled = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, texts: Readonly<Record<string, string>> = {}) {
    this.#database = database;
    this.#texts = texts;
  }

  /** Throws nothing. */
  answer(message: Message): Reply {
    try {
      return 'writes' in message ? { won: this.#batch(message) } : this.run(message);
    } catch (error) {
      const { message: text, code, errcode } = error as { message: string; code?: string; errcode?: number };
      return { error: text, code, errcode };
    }
  }

  /** Runs a statement; its rows, or none. */
  run({ sql, values }: StatementMessage): { rows: object[]; changes: number } {
    const statement = this.#prepared(sql);
    if (statement.columns().length === 0)
      return { rows: [], changes: Number(statement.run(...values).changes) };
    const rows = statement.all(...values);
    return { rows, changes: rows.length };
  }

  #batch({ writer, count, writes }: BatchMessage): boolean[] | undefined {
    this.#database.exec('begin immediate');
    try {
      const isWhole = this.#prepared(MOVE_MARK).run(writer, count).changes === 1;
      const won = isWhole ? writes.map((write) => this.#write(write)) : undefined;
      this.#database.exec('commit');
      return won;
    } catch (error) {
      // A failed commit may have rolled back by itself.
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  /** Whether the write counted: whether its first step changed its row. */
  #write(steps: readonly Step[]): boolean {
    return steps.every(([name, ...values], index) => {
      const { changes } = this.#prepared(this.#texts[name] ?? '').run(...values);
      return index > 0 || changes === 1;
    });
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#compiled.get(sql);
    if (!statement) {
      if (this.#compiled.size >= MAX_STATEMENTS) this.#compiled.clear();
      statement = this.#database.prepare(sql);
      this.#compiled.set(sql, statement);
    }
    return statement;
  }
}
