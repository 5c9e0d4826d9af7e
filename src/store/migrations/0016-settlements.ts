import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What settlement reports need: differences with what the report says, so that they can be followed up and taken over; a mark
 * by which an interrupted comparison is told from a complete one; and payments by when they were paid, for those that a
 * report lacks.
 */
const statements = [
  `create index payments_paid on payments (closed_at, id) where status = 'succeeded'`,
  'alter table settlements add column finished_at bigint',
  `alter table settlements add column skipped text not null default '{}'`,
  'alter table settlements add column paid_from bigint',
  'alter table settlements add column paid_until bigint',
  'alter table settlements add column orders_digest text',
  'alter table settlements add column orders_at bigint',
  'alter table settlements add column order_count bigint',
  'alter table settlements add column orders_from bigint',
  'alter table settlements add column orders_until bigint',
  'create index settlements_running on settlements (id) where finished_at is null',
  'alter table settlement_differences add column amount text',
  'alter table settlement_differences add column decimals bigint',
  'alter table settlement_differences add column currency text',
  'alter table settlement_differences add column transaction_ref text',
  'alter table settlement_differences add column settled_at bigint',
  'alter table settlement_differences add column claimed text',
  'alter table settlement_differences add column state text',
  'alter table settlement_differences add column due_at bigint',
  'alter table settlement_differences add column actor text',
  `create index settlement_differences_due on settlement_differences (state, due_at, settlement_id, number)
    where due_at is not null`,
  `create index settlement_differences_payment on settlement_differences (payment_id, kind)
    where payment_id is not null`,
];

export const settlements: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of statements) {
      const typed = isSqlite || statement.startsWith('create');
      await sql.raw(typed ? statement : statement.replace(/\btext\b/g, 'text collate "C"')).execute(db);
    }
  },
};
