import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Card PINs are counted apart from one-time codes, so that wrong ones use none of those up. */
export const pinCount: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table payments add column pins_sent bigint not null default 0').execute(db);
  },
};
