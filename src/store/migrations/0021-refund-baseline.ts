import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether the gateway said, just before a refund was sent, how much it had given back: only then does a rise confirm it. */
export const refundBaseline: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw('alter table operations add column refund_baseline_said bigint not null default 0')
      .execute(db);
  },
};
