import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Payments of a reference that may have been made though the store does not have them, beside what every start reads anyway; and since
 * when the gateway has not said of one of them what became of it.
 */
const statements = [
  "alter table payment_references add column names text not null default '[]'",
  'alter table payment_references add column held_since bigint',
  'create index payment_references_held on payment_references (reference) where held_since is not null',
];

export const paymentNames: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
