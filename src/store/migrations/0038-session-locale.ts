import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The language of a session's page, as its merchant said it. */
export const sessionLocale: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table checkout_sessions add column locale text').execute(db);
  },
};
