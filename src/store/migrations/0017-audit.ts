import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The audit has an order of its own: the number that an entry gets when its outcome is known. Until then it is a promise that
 * something was begun, which a dead process cannot take along. The table of 0013 was laid out and never written.
 */
const statements = [
  'drop table audit',
  `create table audit (
    id text primary key, position bigint, at bigint not null, actor text not null, action text not null, object text,
    address text, request_id text, outcome text, count bigint not null, owner text not null)`,
  'create unique index audit_position on audit (position)',
  'create index audit_begun on audit (at) where position is null',
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
