import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { keepDatabasePrivate } from '../private-database.js';
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

/** Makes Kysely's SQLite dialect use `node:sqlite`. Calls `committed` after each statement that may have written. */
export function asKyselyDatabase(
  database: DatabaseSync,
  committed: () => void = () => undefined,
): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    close: () => {
      database.close();
    },
    prepare: (sql) => {
      let statement = cache.get(sql);
      if (!statement) {
        statement = prepare(database, sql, committed);
        if (cache.size >= MAX_CACHED_STATEMENTS) cache.clear();
        cache.set(sql, statement);
      }
      return statement;
    },
  };
}

/** Tells errors of an unavailable store from those of a wrong query. */
function prepare(database: DatabaseSync, sql: string, committed: () => void): SqliteStatement {
  const statement = clean(() => database.prepare(sql));
  const onlyReads = sql.startsWith('select');
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => {
      const rows = clean(() => statement.all(...(parameters as SQLInputValue[])));
      if (!onlyReads) committed();
      return rows;
    },
    run: (parameters) => {
      const done = clean(() => statement.run(...(parameters as SQLInputValue[])));
      committed();
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
