import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The time that was seen to pass between answers about a payment, and how much of it had passed when an operation began.
 * What is open at the upgrade begins with none: it only waits a little longer. And the indexes by which living leases
 * and expired idempotency keys are found.
 */
const statements = [
  `alter table payments add column seen_ms bigint not null default 0`,
  `alter table payments add column answered_at bigint`,
  `alter table operations add column seen_from_ms bigint not null default 0`,
  `create index payments_leased on payments (lease_until) where lease_owner is not null`,
  `create index events_leased on events (lease_until) where lease_owner is not null`,
  `create index idempotency_keys_expired on idempotency_keys (expires_at)`,
];

export const seenTime: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
