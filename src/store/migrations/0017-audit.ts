import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One row after each audited call. The table of 0013 was never written. */
const statements = [
  'drop table audit',
  `create table audit (
    id text primary key, at bigint not null, actor text not null, action text not null, object text,
    address text, request_id text, outcome text not null, count bigint not null)`,
];

export const auditOrder: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of statements) {
      const typed = isSqlite || !statement.startsWith('create table');
      await sql.raw(typed ? statement : statement.replace(/\btext\b/g, 'text collate "C"')).execute(db);
    }
  },
};
