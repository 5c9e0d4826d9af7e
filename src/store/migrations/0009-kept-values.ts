import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The values that a profile's `keep` takes from the gateway's answers, by name; null where there are none. */
const statement = `alter table payments add column kept text`;

export const keptValues: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    await sql.raw(isSqlite ? statement : `${statement} collate "C"`).execute(db);
  },
};
