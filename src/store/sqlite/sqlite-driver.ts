import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { inDataDir, keepDatabasePrivate, storeFile } from '../data-dir.js';
import { Forgotten, newMarks, NotCommitted } from '../driver.js';
import type { DecidedWrite, Driver, Mark, Query } from '../driver.js';
import { stepTexts } from '../statements.js';
import { StoreUnavailable } from '../store-unavailable.js';
import type { Sql } from '../store.js';
import { openConnection, Runner } from './connection.js';
import { SqliteThread } from './sqlite-thread.js';
import { asSqliteUnavailable } from './unavailable.js';

/** What is open: one thread writes, one reads lists, and orders and lookups are read at once on a connection of their own. */
interface Opened {
  inode: number;
  database: DatabaseSync;
  lookups: Runner;
  writer: SqliteThread;
  reader: SqliteThread;
}

/** The embedded store. */
export class SqliteDriver implements Driver {
  readonly kind = 'embedded';
  readonly marks: readonly Mark[];
  readonly beat: Mark;
  readonly brokenAt = undefined;
  private readonly file: string;
  private opened: Opened | undefined;

  constructor(
    private readonly dataDir: string,
    process: string,
  ) {
    this.file = storeFile(dataDir);
    ({ marks: this.marks, beat: this.beat } = newMarks(process));
  }

  async prepare<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const prepared = await inSqliteFile(this.dataDir, work);
    const data = { file: this.file, texts: stepTexts('embedded') };
    const database = openConnection(this.file, true);
    this.opened = {
      inode: statSync(this.file).ino,
      database,
      lookups: new Runner(database),
      writer: new SqliteThread({ ...data, readOnly: false }),
      reader: new SqliteThread({ ...data, readOnly: true }),
    };
    return prepared;
  }

  async commit(mark: Mark, writes: readonly DecidedWrite[]): Promise<boolean[]> {
    const steps = writes.map((write) => write.steps);
    const answer = await this.inPlace()
      .writer.ask({ ...mark, writes: steps })
      .catch((error: unknown) => {
        if (error instanceof StoreUnavailable) throw error;
        throw new NotCommitted('the store refuses a write', { cause: error });
      });
    if (!('won' in answer)) throw new TypeError('The answer to a batch says what counted');
    if (!answer.won) throw new Forgotten(mark);
    this.inPlace();
    mark.count += 1;
    return answer.won;
  }

  async rows<R>({ text, values = [], lookup }: Sql): Promise<R[]> {
    const { lookups, reader } = this.use();
    const message = { sql: text, values };
    if (!lookup) return rowsOf<R>(await reader.ask(message));
    try {
      return rowsOf<R>(lookups.run(message));
    } catch (error) {
      throw asSqliteUnavailable(error);
    }
  }

  async returning<R>({ text, values = [] }: Sql): Promise<R[]> {
    return rowsOf<R>(await this.inPlace().writer.ask({ sql: text, values }));
  }

  async run({ text, values = [] }: Sql): Promise<number> {
    const answer = await this.inPlace().writer.ask({ sql: text, values });
    return 'changes' in answer ? answer.changes : 0;
  }

  /** Where somebody replaced the file, SQLite goes on writing to one that nobody finds any more. */
  fault(): string | undefined {
    const found = statSync(this.file, { throwIfNoEntry: false });
    return !this.opened || found?.ino === this.opened.inode
      ? undefined
      : `${this.file} was replaced or removed while the service ran: restart it`;
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

  private inPlace(): Opened {
    const fault = this.fault();
    if (fault !== undefined) throw new StoreUnavailable(fault);
    return this.use();
  }

  private use(): Opened {
    if (!this.opened) throw new StoreUnavailable('it is not open');
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
  const runner = new Runner(database);
  try {
    database.exec('begin immediate');
    const result = await work((sql, values = []) =>
      Promise.resolve({ sql, values }).then((message) => rowsOf(runner.run(message))),
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

/** The caller knows the columns that it asked for. */
function rowsOf<R>(answer: object): R[] {
  return 'rows' in answer ? (answer.rows as R[]) : [];
}
