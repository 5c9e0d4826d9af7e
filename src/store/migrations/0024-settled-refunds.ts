import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Keys of refunds answer as long as their payments are kept, and payments are kept for ever: far beyond any clock. */
const FOR_EVER = 253_402_300_799_000;

/**
 * What becomes of refunds after they were done: whether the gateway's sum was heard to hold one, when it was first heard to have fallen
 * by it, and when a payment's last refund succeeded, after which it is asked about for a while.
 */
const statements = [
  'alter table operations add column in_sum bigint not null default 0',
  'alter table operations add column fall_heard_at bigint',
  'alter table payments add column refunded_at bigint',
  `update idempotency_keys set expires_at = ${FOR_EVER} where operation_id like 'ref$_%' escape '$'`,
];

export const settledRefunds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
