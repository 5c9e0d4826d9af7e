import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How much was charged back, when a payment was paid, and whether a void of it may have been done that time has ended. */
const statements = [
  'alter table payments add column amount_disputed text',
  'alter table payments add column disputed_at bigint',
  'alter table payments add column paid_at bigint',
  'alter table payments add column void_doubtful_since bigint',
  `update payments set void_doubtful_since = updated_at where status = 'succeeded' and resolved_at is null and id in
     (select payment_id from operations where type = 'void' and status = 'refused' and former_count > 0)`,
  'create index payments_duplicates on payments (id) where duplicate_of is not null',
  'create index payments_disputed on payments (id) where disputed = 1',
];

export const moneyHeld: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of statements) {
      await sql.raw(isSqlite ? statement : statement.replace(/\btext$/, 'text collate "C"')).execute(db);
    }
  },
};
