import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Rows of a settlement report that could not be read: how many, and where. A report of before had none, as it was refused. */
export const setAside: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table settlements add column set_aside text').execute(db);
  },
};
