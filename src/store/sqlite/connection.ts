import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { keepDatabasePrivate } from '../private-database.js';
import { operations, payments, references, sessions } from '../tables.js';
import { asSqliteUnavailable } from './unavailable.js';

/** How many statements are kept compiled. More different ones are not expected. */
const MAX_CACHED_STATEMENTS = 500;

/** Opens the embedded store's file for its owner alone, with a write-ahead log and an fsync at every commit. */
export function openSqliteFile(path: string): DatabaseSync {
  keepDatabasePrivate(path);
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = full');
  database.exec('pragma temp_store = memory');
  database.exec('pragma trusted_schema = off');
  return database;
}

/** Called around each statement that may write. What they throw, the statement fails with. */
export interface WriteWatch {
  before?: () => void;
  after?: () => void;
  /** Called after a batch was rolled back. Throws nothing. */
  failed?: () => void;
  /** Called before a statement beside the batches that may change rows of theirs. Throws nothing. */
  beside?: () => void;
}

/** What batches know of payments stands in these. */
const OF_BATCHES = [references, sessions, payments, operations].map(({ name }) => name);

/** Makes Kysely's SQLite dialect use `node:sqlite`. */
export function asKyselyDatabase(database: DatabaseSync, watch: WriteWatch = {}): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    close: () => {
      database.close();
    },
    prepare: (sql) => {
      let statement = cache.get(sql);
      if (!statement) {
        statement = prepare(database, sql, watch);
        if (cache.size >= MAX_CACHED_STATEMENTS) cache.clear();
        cache.set(sql, statement);
      }
      return statement;
    },
  };
}

/** Tells errors of an unavailable store from those of a wrong query. */
function prepare(database: DatabaseSync, sql: string, watch: WriteWatch): SqliteStatement {
  const { after } = watch;
  const statement = clean(() => database.prepare(sql));
  const onlyReads = sql.startsWith('select');
  const isBeside = OF_BATCHES.some((table) => sql.includes(table));
  const before = (): void => {
    watch.before?.();
    if (isBeside) watch.beside?.();
  };
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => {
      if (!onlyReads) before();
      const rows = clean(() => statement.all(...(parameters as SQLInputValue[])));
      if (!onlyReads) after?.();
      return rows;
    },
    run: (parameters) => {
      before();
      const done = clean(() => statement.run(...(parameters as SQLInputValue[])));
      after?.();
      return done;
    },
    // Nothing asks for rows one by one.
    iterate: (parameters) =>
      clean(() => statement.all(...(parameters as SQLInputValue[])) as unknown[]).values(),
  };
}

function clean<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asSqliteUnavailable(error);
  }
}
