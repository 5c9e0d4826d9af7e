import { sql, type Kysely } from 'kysely';
import type { Tables } from '../schema.js';

/** As much as a large batch of payments puts into the log: a full disk may have room for a page, and none for a payment. */
const AS_MUCH_BYTES = 256 * 1024;

/**
 * Commits a page, or with `asMuch` many, in a row of its own. Rejects where that is not confirmed.
 *
 * @param now another one at each call: SQLite writes no page that stays as it was
 */
export async function tryWriteSqlite(db: Kysely<Tables>, now: number, asMuch: boolean): Promise<void> {
  const value = `${now} `;
  if (asMuch) await put(db, value.repeat(AS_MUCH_BYTES / value.length));
  await put(db, value);
}

async function put(db: Kysely<Tables>, value: string): Promise<void> {
  await sql`insert into meta (name, value) values ('tried_at', ${value})
    on conflict (name) do update set value = excluded.value`.execute(db);
}
