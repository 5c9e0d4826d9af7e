import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When a reference's named payments are asked about without anybody waiting: those that stand there already at once. */
const statements = [
  'alter table payment_references add column names_due_at bigint',
  "update payment_references set names_due_at = 0 where names <> '[]'",
  'create index payment_references_names_due on payment_references (names_due_at) where names_due_at is not null',
];

export const namesDue: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
