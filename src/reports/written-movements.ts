import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { type MovementRecord, movements } from '../store/schema.js';
import { Store } from '../store/store.js';
import { decodeRow, type StoredRow } from '../store/table.js';
import type { Counted } from './movement-totals.js';

const COUNTED = [
  ...(['id', 'kind', 'direction', 'amount', 'currency', 'method', 'at', 'recordedAt'] as const),
] satisfies (keyof Counted)[];
/** The columns of what is added up. */
export const COUNTED_COLUMNS = sql.raw(
  COUNTED.map((property) => `movements.${property === 'recordedAt' ? 'recorded_at' : property}`).join(', '),
);

/** The embedded store serves nobody else while it reads, so it reads a little at a time; PostgreSQL has processes of its own. */
export const AT_ONCE = { embedded: 1_000, postgres: 5_000 } as const;

/**
 * Movements in the one order of all commits, in which each has its place from its commit on, or soon after: a mark parts those that were
 * written up to it from all others, whoever commits how late. On the embedded store commits happen one after the other, and the order is that
 * of the rows. On PostgreSQL it is that of the batches of events.
 */
@Injectable()
export class WrittenMovements {
  constructor(private readonly store: Store) {}

  /** The newest place that is given. */
  async newestPlace(): Promise<number> {
    const newest =
      this.store.kind === 'embedded'
        ? sql<{ place: number | null }>`select max(rowid) as place from movements`
        : sql<{ place: number | null }>`select max(position) as place from event_batches`;
    const { rows } = await newest.execute(this.store.db);
    return Number(rows[0]?.place ?? 0);
  }

  /** Those of these movements whose place comes after a mark. */
  async writtenAfter(mark: number, some: readonly MovementRecord[]): Promise<Set<string>> {
    if (some.length === 0) return new Set();
    const ids = sql.join(some.map(({ id }) => id));
    const { rows } = await (
      this.store.kind === 'embedded'
        ? sql<{ id: string }>`select id from movements where id in (${ids}) and rowid > ${mark}`
        : sql<{ id: string }>`
            select movements.id from movements join event_batches on event_batches.id = batch
            where movements.id in (${ids}) and (position is null or position > ${mark})`
    ).execute(this.store.db);
    return new Set(rows.map(({ id }) => id));
  }

  /** Some of the movements after a mark, and the mark after them. */
  async written(mark: number, limit: number): Promise<{ rows: Counted[]; mark: number }> {
    if (this.store.kind === 'embedded') {
      const { rows } = await sql<StoredRow>`
        select movements.rowid as place, ${COUNTED_COLUMNS} from movements
        where movements.rowid > ${mark} order by movements.rowid limit ${limit}`.execute(this.store.db);
      return { rows: rows.map(readCounted), mark: Number(rows.at(-1)?.['place'] ?? mark) };
    }
    const { rows } = await sql<{ id: number; position: number }>`
      select id, position from event_batches where position > ${mark} order by position limit ${limit}`.execute(
      this.store.db,
    );
    return { rows: await this.ofBatches(rows), mark: Number(rows.at(-1)?.position ?? mark) };
  }

  /** All movements after a mark, also those that have no place yet. */
  async eachWritten(mark: number, take: (row: Counted) => void): Promise<void> {
    const limit = AT_ONCE[this.store.kind];
    if (this.store.kind === 'embedded') {
      for (let place = mark; ;) {
        const { rows, mark: next } = await this.written(place, limit);
        rows.forEach(take);
        if (rows.length < limit) return;
        place = next;
        await nextTurn();
      }
    }
    const { rows } = await sql<{ id: number }>`
      select id from event_batches where position is null or position > ${mark} order by id`.execute(
      this.store.db,
    );
    for (let from = 0; from < rows.length; from += limit)
      (await this.ofBatches(rows.slice(from, from + limit))).forEach(take);
  }

  /** On PostgreSQL. */
  private async ofBatches(batches: readonly { id: number }[]): Promise<Counted[]> {
    if (batches.length === 0) return [];
    const ids = batches.map(({ id }) => Number(id));
    const [least, most] = ids.reduce<[number, number]>(
      ([low, high], id) => [Math.min(low, id), Math.max(high, id)],
      [Infinity, -Infinity],
    );
    const { rows } = await sql<StoredRow>`
      select ${COUNTED_COLUMNS} from movements
      where batch >= ${least} and batch <= ${most} and batch = any(${ids}::bigint[])`.execute(this.store.db);
    return rows.map(readCounted);
  }
}

/** A row of those columns. */
export function readCounted(row: StoredRow): Counted {
  return decodeRow(movements, row);
}
