import { createRequire } from 'node:module';
import { storeBoundary, tablesWritten } from './sql.ts';

type Pass = (boundary: string) => void;

/**
 * Tells when something becomes durable: right before and right after each commit, and each writing statement outside
 * a transaction, on either store.
 */
export function watchStore(pass: Pass): void {
  watchSqlite(pass);
  watchPostgres(pass);
}

type SqliteExec = (this: SqliteDatabase, sql: string) => void;
type SqlitePrepare = (this: SqliteDatabase, sql: string) => SqliteStatement;
interface SqliteDatabase {
  exec: SqliteExec;
  prepare: SqlitePrepare;
}
type SqliteCall = (this: SqliteStatement, ...parameters: unknown[]) => unknown;
interface SqliteStatement {
  run: SqliteCall;
  all: SqliteCall;
  get: SqliteCall;
  iterate: SqliteCall;
}

function watchSqlite(pass: Pass): void {
  const { DatabaseSync, StatementSync } = createRequire(import.meta.url)('node:sqlite') as {
    DatabaseSync: { prototype: SqliteDatabase };
    StatementSync: { prototype: SqliteStatement };
  };
  /** Of each database, what its open transaction has written. */
  const open = new WeakMap<SqliteDatabase, Set<string>>();
  const origin = new WeakMap<SqliteStatement, { database: SqliteDatabase; tables: string[] }>();

  const exec = DatabaseSync.prototype.exec;
  const prepare = DatabaseSync.prototype.prepare;
  DatabaseSync.prototype.exec = function (this: SqliteDatabase, sql) {
    const word = sql.trim().toLowerCase();
    const written = open.get(this);
    const commits = word === 'commit' && written !== undefined && written.size > 0;
    const name = commits ? storeBoundary(written) : '';
    if (commits) pass(`before ${name}`);
    exec.call(this, sql);
    if (commits) pass(`after ${name}`);
    if (word.startsWith('begin')) open.set(this, new Set());
    else if (word === 'commit' || word === 'rollback') open.delete(this);
  };
  DatabaseSync.prototype.prepare = function (this: SqliteDatabase, sql) {
    const statement = prepare.call(this, sql);
    origin.set(statement, { database: this, tables: tablesWritten(sql) });
    return statement;
  };
  for (const method of ['run', 'all', 'get', 'iterate'] as const) {
    const real = StatementSync.prototype[method];
    StatementSync.prototype[method] = function (...parameters) {
      const { database, tables } = origin.get(this) ?? { database: undefined, tables: [] };
      if (!database || tables.length === 0) return real.apply(this, parameters);
      const transaction = open.get(database);
      if (transaction) {
        for (const table of tables) transaction.add(table);
        return real.apply(this, parameters);
      }
      const name = storeBoundary(tables);
      pass(`before ${name}`);
      const result = real.apply(this, parameters);
      pass(`after ${name}`);
      return result;
    };
  }
}

type Query = (this: object, query: unknown, ...rest: unknown[]) => unknown;

function watchPostgres(pass: Pass): void {
  const { Client } = createRequire(import.meta.url)('pg') as { Client: { prototype: { query: Query } } };
  const open = new WeakMap<object, Set<string>>();
  const real = Client.prototype.query;

  Client.prototype.query = function (query, ...rest) {
    const text = typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');
    const word = text.trim().toLowerCase();
    const transaction = open.get(this);
    if (word === 'begin') open.set(this, new Set());
    if (word === 'rollback') open.delete(this);
    const tables = word === 'commit' ? [...(transaction ?? [])] : tablesWritten(text);
    if (word !== 'commit' && transaction) for (const table of tables) transaction.add(table);
    if (word === 'commit') open.delete(this);
    else if (transaction) return real.call(this, query, ...rest);
    if (tables.length === 0) return real.call(this, query, ...rest);

    const name = storeBoundary(tables);
    pass(`before ${name}`);
    const answered = real.call(this, query, ...rest);
    // It is on its way: whether the server gets to it is the server's to say.
    pass(`sent ${name}`);
    if (!(answered instanceof Promise)) return answered;
    return answered.then((result: unknown) => {
      pass(`after ${name}`);
      return result;
    });
  };
}
