import { Injectable } from '@nestjs/common';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { AuditRecord } from '../store/book-tables.js';
import { audit } from '../store/book-tables.js';
import type { Tables } from '../store/database-types.js';
import { Store } from '../store/store.js';
import { columnsOf, decodeRow, encodeRow, type StoredRow } from '../store/tables.js';
import { SHOWN_KEY } from './audit-actions.js';

/** An entry whose outcome is known. It has no place yet. */
export type EndedEntry = AuditRecord & { outcome: string };

/** The lock of whoever gives places, of those that end with their transaction. Any number that means nothing else. */
const LOCK = 7_455_563_711;

const COLUMNS = columnsOf(audit);

/** The audit's rows. Nothing else writes them, and none that has a place is written again. */
@Injectable()
export class AuditRepository {
  constructor(private readonly store: Store) {}

  /** Writes an entry whose outcome is not known yet. It is in no list. */
  async begin(entry: AuditRecord): Promise<void> {
    await this.store.db
      .insertInto('audit')
      .values(encodeRow(audit, entry) as Tables['audit'])
      .execute();
  }

  /**
   * Gives entries their outcome and the next places, in their order. One that was not begun is written whole; one that has a place
   * keeps what it says. On PostgreSQL the places of all replicas are given one after the other: under a lock that is kept until
   * the commit, so that a reader who asks for what comes after an entry misses nothing.
   */
  async end(entries: readonly EndedEntry[]): Promise<void> {
    const { db, kind } = this.store;
    if (kind === 'embedded') {
      for (const entry of entries) await place(db, [entry]);
      return;
    }
    await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
      await place(transaction, entries);
    });
  }

  /** The entry, if it has a place. */
  async find(id: string): Promise<(AuditRecord & { position: number }) | undefined> {
    const { rows } = await sql<StoredRow>`
      select * from audit where id = ${id} and position is not null`.execute(this.store.db);
    const [row] = rows;
    return row && (decodeRow(audit, row) as AuditRecord & { position: number });
  }

  /** At most `limit` entries after a place, the oldest first. */
  async listAfter(position: number, limit: number): Promise<AuditRecord[]> {
    const { rows } = await sql<StoredRow>`
      select * from audit where position > ${position} order by position limit ${limit}`.execute(
      this.store.db,
    );
    return rows.map((row) => decodeRow(audit, row));
  }

  /** At most `limit` entries before a place, or the last ones: the newest first. */
  async listBefore(position: number | undefined, limit: number): Promise<AuditRecord[]> {
    const { rows } = await sql<StoredRow>`
      select * from audit where position < ${position ?? Number.MAX_SAFE_INTEGER}
      order by position desc limit ${limit}`.execute(this.store.db);
    return rows.map((row) => decodeRow(audit, row));
  }

  /** Entries that other processes began before `before` and have not ended; on the embedded store no other one lives. */
  async abandoned(before: number, limit: number): Promise<EndedEntry[]> {
    const { rows } = await sql<StoredRow>`
      select * from audit where position is null and at < ${before} and owner <> ${this.store.owner}
      order by at limit ${limit}`.execute(this.store.db);
    return rows
      .map((row) => decodeRow(audit, row))
      .map((entry) => ({
        ...entry,
        outcome: entry.action === SHOWN_KEY ? 'unauthorized' : 'outcome-unknown',
      }));
  }
}

/** One statement, so that all get their places or none does. */
async function place(db: Kysely<Tables>, entries: readonly EndedEntry[]): Promise<void> {
  const rows = entries.map((entry, index) => values(encodeRow(audit, entry), index + 1));
  await sql`
    insert into audit (${sql.raw(COLUMNS.join(', '))}) values ${sql.join(rows)}
    on conflict (id) do update set position = excluded.position, outcome = excluded.outcome,
      object = excluded.object, count = excluded.count
    where audit.position is null`.execute(db);
}

function values(row: StoredRow, number: number): RawBuilder<unknown> {
  const cells = COLUMNS.map((column) =>
    column === 'position'
      ? sql`(select coalesce(max(position), 0) + ${sql.lit(number)} from audit)`
      : sql`${row[column]}`,
  );
  return sql`(${sql.join(cells)})`;
}
