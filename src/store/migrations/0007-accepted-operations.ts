import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * When the gateway accepted an operation as pending, when a hold began, and when a person said what became of a payment.
 *
 * A duplicate whose first payment was voided by version 0.1.0 still points to it. It is due for a status check at once:
 * the write that follows makes it the payment that pays its reference.
 */
const statements = [
  `alter table operations add column accepted_at bigint`,
  `alter table payments add column held_since bigint`,
  `alter table payments add column resolved_at bigint`,
  `update payments set next_status_check_at = updated_at
   where status = 'succeeded' and duplicate_of is not null
     and not exists (select 1 from payments first where first.id = payments.duplicate_of and first.status = 'succeeded')`,
];

export const acceptedOperations: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
