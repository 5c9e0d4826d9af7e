import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { audit, type AuditRecord, type BegunActRecord, begunActs, type Tables } from '../store/schema.js';
import { columnsOf, decodeRow, encodeRow, type StoredRow } from '../store/table.js';
import { Store } from '../store/store.js';
import { SHOWN_KEY } from './audit-actions.js';

/** The lock of whoever gives places, of those that end with their transaction. Any number that means nothing else. */
const LOCK = 7_455_563_711;

const COLUMNS = columnsOf(audit);

/** So many are read at once of all that fit. */
const AT_ONCE = 500;

/** Which entries are asked for: those that fit all of it. */
export interface AuditFilter {
  /** Begun at this time or later. Milliseconds since the epoch. */
  readonly from?: number | undefined;
  /** Begun before this time. Milliseconds since the epoch. */
  readonly to?: number | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly object?: string | undefined;
}

/** The audit's rows, which are only added, and the acts that were begun. Nothing else writes them. */
@Injectable()
export class AuditRepository {
  constructor(private readonly store: Store) {}

  /** Writes down that something was begun. It is in no list. */
  async begin(act: BegunActRecord): Promise<void> {
    await this.store.db
      .insertInto('begun_acts')
      .values(encodeRow(begunActs, act) as Tables['begun_acts'])
      .execute();
  }

  /**
   * Writes entries with the next places, in their order. One that is written already keeps what it says. On PostgreSQL the places of all
   * replicas are given one after the other: under a lock that is kept until the commit, so that a reader who asks for what comes
   * after an entry misses nothing.
   */
  async end(entries: readonly AuditRecord[]): Promise<void> {
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

  /** Removes what was begun and has its entry by now. */
  async forgetEnded(): Promise<void> {
    await sql`
      delete from begun_acts where exists (select 1 from audit where audit.id = begun_acts.id)`.execute(
      this.store.db,
    );
  }

  /** The entry, if it has a place. */
  async find(id: string): Promise<(AuditRecord & { position: number }) | undefined> {
    const { rows } = await sql<StoredRow>`
      select * from audit where id = ${id} and position is not null`.execute(this.store.db);
    const [row] = rows;
    return row && (decodeRow(audit, row) as AuditRecord & { position: number });
  }

  /** At most `limit` entries after a place, the oldest first. */
  async listAfter(position: number, limit: number, filter: AuditFilter = {}): Promise<AuditRecord[]> {
    const { rows } = await sql<StoredRow>`
      select * from audit where position > ${position}${fitting(filter)}
      order by position limit ${limit}`.execute(this.store.db);
    return rows.map((row) => decodeRow(audit, row));
  }

  /** At most `limit` entries before a place, or the last ones: the newest first. */
  async listBefore(
    position: number | undefined,
    limit: number,
    filter: AuditFilter = {},
  ): Promise<AuditRecord[]> {
    const { rows } = await sql<StoredRow>`
      select * from audit where position < ${position ?? Number.MAX_SAFE_INTEGER}${fitting(filter)}
      order by position desc limit ${limit}`.execute(this.store.db);
    return rows.map((row) => decodeRow(audit, row));
  }

  /** All entries that fit, the oldest first. Between two readings nothing of the store is held. */
  async *each(filter: AuditFilter): AsyncGenerator<AuditRecord> {
    for (let last: number | null | undefined = 0; typeof last === 'number';) {
      const entries = await this.listAfter(last, AT_ONCE, filter);
      yield* entries;
      last = entries.length < AT_ONCE ? undefined : entries.at(-1)?.position;
      // Payers go first.
      await nextTurn();
    }
  }

  /** What other processes began before `before` and have not ended; on the embedded store no other one lives. */
  async abandoned(before: number, limit: number): Promise<AuditRecord[]> {
    const { rows } = await sql<StoredRow>`
      select * from begun_acts where at < ${before} and owner <> ${this.store.owner}
        and not exists (select 1 from audit where audit.id = begun_acts.id)
      order by at limit ${limit}`.execute(this.store.db);
    return rows
      .map((row) => decodeRow(begunActs, row))
      .map((act) => ({
        ...act,
        position: null,
        outcome: act.action === SHOWN_KEY ? 'unauthorized' : 'outcome-unknown',
        count: 1,
      }));
  }
}

function fitting({ from, to, actor, action, object }: AuditFilter): RawBuilder<unknown> {
  const conditions = [
    from === undefined ? undefined : sql` and at >= ${from}`,
    to === undefined ? undefined : sql` and at < ${to}`,
    actor === undefined ? undefined : sql` and actor = ${actor}`,
    action === undefined ? undefined : sql` and action = ${action}`,
    object === undefined ? undefined : sql` and object = ${object}`,
  ];
  return sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql``,
  );
}

/** One statement, so that all get their places or none does. */
async function place(db: Kysely<Tables>, entries: readonly AuditRecord[]): Promise<void> {
  const rows = entries.map((entry, index) => values(encodeRow(audit, entry), index + 1));
  await sql`
    insert into audit (${sql.raw(COLUMNS.join(', '))}) values ${sql.join(rows)}
    on conflict (id) do nothing`.execute(db);
}

function values(row: StoredRow, number: number): RawBuilder<unknown> {
  const cells = COLUMNS.map((column) =>
    column === 'position'
      ? sql`(select coalesce(max(position), 0) + ${sql.lit(number)} from audit)`
      : sql`${row[column]}`,
  );
  return sql`(${sql.join(cells)})`;
}
