import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The version of everything about a reference, by which a write on PostgreSQL knows whether it was decided on the present rows. */
export const referenceVersions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table payment_references add column version bigint not null default 0').execute(db);
  },
};
