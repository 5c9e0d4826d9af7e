import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { inDataDir, keepDatabasePrivate, storeFile } from '../data-dir.js';
import { absent, decodeOrders, NotCommitted } from '../driver.js';
import type { DecidedWrite, Driver, OrderRow, Outcome } from '../driver.js';
import { prepareStore, type PrepareOptions, type Query } from '../prepare.js';
import { NOW } from '../schema.js';
import { LOAD_ONE, stepTexts } from '../statements.js';
import { StoreUnavailable } from '../store-unavailable.js';
import type { Sql, Stored } from '../store.js';
import { batchText } from './batch-text.js';
import { openConnection, Statements } from './connection.js';
import { SqliteThread } from './sqlite-thread.js';
import { asSqliteUnavailable } from './unavailable.js';

const WRITER = 'embedded';
const NOT_PREPARED = 'it is being prepared';

/** The embedded store: one thread writes, one reads lists, and orders and lookups are read at once on a connection of their own. */
export class SqliteDriver implements Driver {
  readonly shared = false;
  readonly slots = 2;
  readonly nowSql = NOW.embedded;
  readonly marks = new Map<string, number>();
  private readonly file: string;
  private opened:
    { database: DatabaseSync; lookups: Statements; writer: SqliteThread; reader: SqliteThread } | undefined;
  private forgotten: (writer: string) => Promise<void> = () => Promise.resolve();
  private inode: number | undefined;

  /** @param crashed is called when a thread ended though nobody wanted it to */
  constructor(
    private readonly dataDir: string,
    private readonly crashed: (error: Error) => void,
  ) {
    this.file = storeFile(dataDir);
  }

  async prepare(options: Omit<PrepareOptions, 'kind'>): Promise<string> {
    const id = await inSqliteFile(this.dataDir, async (query) => {
      const store = await prepareStore(query, { kind: 'embedded', ...options });
      await query(
        'insert into marks (writer, mark, before, at) values (?, 0, 0, 0) on conflict (writer) do nothing',
        [WRITER],
      );
      const [row] = await query('select mark from marks where writer = ?', [WRITER]);
      this.marks.set(WRITER, Number(row?.['mark']));
      return store;
    });
    const data = { file: this.file, texts: stepTexts('embedded') };
    const database = openConnection(this.file, true);
    this.inode = statSync(this.file).ino;
    this.opened = {
      database,
      lookups: new Statements(database),
      writer: new SqliteThread({ ...data, readOnly: false }, this.crashed),
      reader: new SqliteThread({ ...data, readOnly: true }, this.crashed),
    };
    return id;
  }

  load(references: readonly string[]): Promise<Map<string, Stored>> {
    return attempt(() => this.loadNow(references));
  }

  async commit(_slot: number, writes: readonly DecidedWrite[]): Promise<Outcome> {
    this.assertInPlace();
    const { writer } = this.use();
    const answer = await writer
      .ask({ batch: batchText(writes.map(({ steps }) => steps)) })
      .catch((error: unknown) => {
        if (error instanceof StoreUnavailable) throw error;
        throw new NotCommitted('the store refuses a write', { cause: error });
      });
    if ('forgotten' in answer) {
      await this.forgotten(WRITER);
      throw new NotCommitted('the store has lost commits');
    }
    if (!('won' in answer)) throw new TypeError('The answer to a batch says what counted');
    this.assertInPlace();
    this.marks.set(WRITER, answer.mark);
    const { won } = answer;
    const losers = writes.filter((_write, index) => !won[index]).map(({ reference }) => reference);
    return { won, lost: this.loadNow(losers) };
  }

  /** There is one process, and it writes one batch after the other. */
  async alone(
    slot: number,
    reference: string,
    decide: (stored: Stored) => DecidedWrite | undefined,
  ): Promise<Outcome> {
    const stored = (await this.load([reference])).get(reference) ?? absent(reference);
    const write = decide(stored);
    return write ? this.commit(slot, [write]) : { won: [], lost: new Map() };
  }

  async rows<R>({ text, values = [], lookup }: Sql): Promise<R[]> {
    const { lookups, reader } = this.use();
    if (lookup)
      // The caller knows the columns that it asked for.
      return attempt(() => lookups.run({ sql: text, values }).rows.map((row) => ({ ...row }) as R));
    return rowsOf<R>(await reader.ask({ sql: text, values }));
  }

  async returning<R>({ text, values = [] }: Sql): Promise<R[]> {
    this.assertInPlace();
    return rowsOf<R>(await this.use().writer.ask({ sql: text, values }));
  }

  async run({ text, values = [] }: Sql): Promise<number> {
    this.assertInPlace();
    const answer = await this.use().writer.ask({ sql: text, values });
    return 'changes' in answer ? answer.changes : 0;
  }

  async recordLoss(at: number, writer: string): Promise<number> {
    const answer = await this.use().writer.ask({ lostAt: at });
    if ('mark' in answer) this.marks.set(writer, answer.mark);
    return at;
  }

  onForgotten(listener: (writer: string) => Promise<void>): void {
    this.forgotten = listener;
  }

  /** Where somebody replaced the file, SQLite goes on writing to one that nobody finds any more. */
  fault(): string | undefined {
    if (this.inode === undefined) return undefined;
    try {
      if (statSync(this.file).ino === this.inode) return undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') return `${this.file} cannot be looked at (${code})`;
    }
    return `${this.file} was replaced or removed while the service ran: restart it`;
  }

  async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    if (!opened) return;
    opened.database.close();
    await opened.reader.end();
    // The last connection, which may write, puts everything into the one file.
    await opened.writer.end();
  }

  private loadNow(references: readonly string[]): Map<string, Stored> {
    const statement = this.use().lookups.get(LOAD_ONE);
    statement.setReturnArrays(true);
    // Arrays of columns, as it was just told.
    const rows = references.flatMap((reference) => statement.all(reference) as unknown as OrderRow[]);
    return decodeOrders(rows);
  }

  private assertInPlace(): void {
    const fault = this.fault();
    if (fault !== undefined) throw new StoreUnavailable(fault);
  }

  private use(): NonNullable<typeof this.opened> {
    if (!this.opened) throw new StoreUnavailable(NOT_PREPARED);
    return this.opened;
  }
}

/** Opens the file for one transaction of a start or a command. */
export async function inSqliteFile<T>(dataDir: string, work: (query: Query) => Promise<T>): Promise<T> {
  const file = storeFile(dataDir);
  const database = inDataDir(dataDir, () => {
    keepDatabasePrivate(file);
    return openConnection(file);
  });
  const statements = new Statements(database);
  try {
    database.exec('begin immediate');
    const result = await work((sql, values = []) =>
      attempt(() => statements.run({ sql, values }).rows as Record<string, unknown>[]),
    );
    database.exec('commit');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw asSqliteUnavailable(error);
  } finally {
    database.close();
  }
}

/** As a promise that rejects with one of our errors. */
function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    try {
      resolve(work());
    } catch (error) {
      throw asSqliteUnavailable(error);
    }
  });
}

/** The caller knows the columns that it asked for. */
function rowsOf<R>(answer: object): R[] {
  return 'rows' in answer ? (answer.rows as R[]) : [];
}
