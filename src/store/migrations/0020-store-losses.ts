import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the store has forgotten, as its processes found out, and who knows of it. See docs/runbook.md. */
export const storeLosses: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    const table = `create table store_losses (
      id text primary key, found_at bigint not null, found_by text not null, detail text not null,
      accepted_at bigint, accepted_by text)`;
    await sql.raw(isSqlite ? table : table.replace(/\btext\b/g, 'text collate "C"')).execute(db);
  },
};
