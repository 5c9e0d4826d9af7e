import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SqliteClock } from '../clock/sqlite-clock.js';
import { countOnSqlite } from '../count-declines.js';
import {
  DecideAgain,
  type Write,
  type Question,
  type Reader,
  type StoreDriver,
  type StoreSession,
} from '../driver.js';
import { selectWhere } from '../statements.js';
import type { StoredRow, StoredValue } from '../table.js';
import { KnownStatements, SaveMessage } from './save.js';
import { asSqliteUnavailable } from './unavailable.js';
import type { SqliteWriter } from './writer.js';

/** Called around each session and each single statement that may write. What they throw, it fails with. */
export interface WriteWatch {
  before?: () => void;
  after?: () => void;
  /** Called after nothing was written. Throws nothing. */
  failed?: () => void;
}

export interface SqliteParts {
  /** Reads alone. A reader waits for no writer. */
  database: DatabaseSync;
  writer: SqliteWriter;
  clock: SqliteClock;
  watch?: WriteWatch;
}

/** The embedded store for batches: what they want is read here, and written by the thread. */
export class SqliteDriver implements StoreDriver {
  readonly concurrency = 1;
  readonly beginsOnRead = false;
  private readonly statements = new KnownStatements();
  private readonly prepared = new Map<string, StatementSync>();

  constructor(private readonly parts: SqliteParts) {}

  get generation(): number {
    return this.parts.writer.generation;
  }

  async session<T>(work: (session: StoreSession) => Promise<T>): Promise<T> {
    const { watch } = this.parts;
    const { generation } = this;
    try {
      watch?.before?.();
      const result = await work({
        read: (_, ask) => this.read(ask),
        save: (writes) => this.save(writes, generation),
      });
      watch?.after?.();
      return result;
    } catch (error) {
      watch?.failed?.();
      throw asSqliteUnavailable(error);
    }
  }

  /** In one transaction, so that all answers are of the same moment. */
  private async read<T>(ask: (reader: Reader) => Promise<T>): Promise<T> {
    const { database, clock } = this.parts;
    database.exec('begin');
    try {
      return await ask({
        rows: (question, ...lists) => Promise.resolve(this.rows(question, lists)),
        declines: (asked) => Promise.resolve(asked.map((one) => countOnSqlite(this.first, one, clock.now()))),
      });
    } finally {
      if (database.isTransaction) database.exec('commit');
    }
  }

  private async save(writes: readonly Write[], generation: number): Promise<ReadonlySet<string>> {
    if (writes.length === 0) return new Set();
    const { clock, writer } = this.parts;
    const kept = clock.toKeep();
    const message = new SaveMessage(this.statements, clock.now(), kept);
    for (const write of writes) message.add(write);
    const answer = await writer.run(message.in(generation));
    if (answer.kind === 'stale') throw new DecideAgain();
    if (answer.kind === 'failed') {
      if (kept && answer.step === 0) throw clock.goneBack();
      throw new Error('A row that was read is gone');
    }
    if (answer.kind !== 'written') throw new TypeError('The thread has answered something else');
    if (kept) clock.committed(kept);
    return new Set(
      writes
        .filter((_, index) => !answer.lost.includes(index))
        .map(({ loaded }) => loaded.snapshot.reference.reference),
    );
  }

  private rows<R>(question: Question<R>, lists: readonly (readonly string[])[]): StoredRow[] {
    const one = lists.every(({ length }) => length === 1);
    const name = `${question.name} ${String(one)}`;
    let statement = this.prepared.get(name);
    if (!statement) {
      const given = one ? (question.pairs ? ONE_PAIR : ONE) : question.pairs ? PAIRS : MANY;
      statement = this.statement(name, selectWhere(question.table, question.where(given)));
    }
    if (one) return statement.all(...lists.flat()) as StoredRow[];
    const [first = [], second = []] = lists;
    const values = question.pairs ? first.map((value, index) => [value, second[index]]) : first;
    return statement.all(JSON.stringify(values)) as StoredRow[];
  }

  private readonly first = (sql: string, ...values: StoredValue[]): StoredRow | undefined =>
    (this.prepared.get(sql) ?? this.statement(sql, sql)).get(...values) as StoredRow | undefined;

  private statement(name: string, sql: string): StatementSync {
    const statement = this.parts.database.prepare(sql);
    this.prepared.set(name, statement);
    return statement;
  }
}

const ONE = (): string => '= ?';
const ONE_PAIR = (): string => '= (?, ?)';
const MANY = (): string => 'in (select value from json_each(?))';
const PAIRS = (): string => 'in (select value ->> 0, value ->> 1 from json_each(?))';
