import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * When the shop was told that a payment pays its order, and an index of when payments were paid: of those of versions before 0.3.0 it is
 * known when they were closed.
 */
const statements = [
  'alter table payments add column announced_paid_at bigint',
  `create index payments_paid_at on payments
     ((coalesce(paid_at, case when status = 'succeeded' then closed_at end)))`,
];

export const announcedPaid: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
