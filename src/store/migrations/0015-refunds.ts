import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How many refunds a payment has had, so that no reference of one is used twice, and what a refund was begun on. */
const statements = [
  'alter table payments add column refunds_made bigint not null default 0',
  'alter table operations add column refunded_before text',
];

export const refunds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of statements) {
      await sql.raw(isSqlite ? statement : statement.replace(/\btext\b/g, 'text collate "C"')).execute(db);
    }
  },
};
