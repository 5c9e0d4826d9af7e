import { Injectable } from '@nestjs/common';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { MovementRecord, Tables } from '../store/schema.js';
import { Store } from '../store/store.js';
import type { StoredRow } from '../store/table.js';
import type { Counted } from './movement-totals.js';
import { COUNTED_COLUMNS, readCounted } from './written-movements.js';

/** Rows that are marked by one statement. */
const MARKED_AT_ONCE = 500;

/** A row of a report of which the kept sums hold another amount than it settles now: none yet, or one that it does not settle any more. */
export interface UnsummedMatch {
  readonly settlementId: string;
  readonly line: number;
  readonly movementId: string;
  /** What it settles now, as it is stored. */
  readonly gross: string;
}

/** Some of what the kept sums do not hold yet, by whole movements. */
export interface SettledChanges {
  /** Movements that are settled in whole and were not when they were summed, or the other way round. */
  readonly movements: readonly { readonly movement: Counted; readonly settled: boolean }[];
  /** All rows that the kept sums hold once they have taken these movements. */
  readonly matches: readonly UnsummedMatch[];
  /** Where to go on; undefined: that was all. */
  readonly next: UnsummedMatch | undefined;
}

/** What reports have settled, in two parts: what the kept sums have looked at, and what they have not. */
@Injectable()
export class SettledSums {
  constructor(private readonly store: Store) {}

  /** What changes by the rows of finished reports after a place, each movement once, where its first row is. */
  async changes(limit: number, after?: UnsummedMatch): Promise<SettledChanges> {
    const page = await this.unsummed(limit, after);
    const rows = await this.allOf([...new Set(page.map(({ movementId }) => movementId))]);
    const movements: { movement: Counted; settled: boolean }[] = [];
    const matches: UnsummedMatch[] = [];
    for (const [movement, own] of await this.counted(rows)) {
      const open = own.filter(({ gross, summed }) => gross !== summed);
      // It was counted where the first of its rows is.
      if (after && open.some((row) => isUpTo(row, after))) continue;
      matches.push(...open);
      const was = sumOf(own, ({ summed }) => summed) >= movement.amount;
      const settled = sumOf(own, ({ gross }) => gross) >= movement.amount;
      if (was !== settled) movements.push({ movement, settled });
    }
    return { movements, matches, next: page.length < limit ? undefined : page.at(-1) };
  }

  /** Those of these movements that were settled in whole by what the sums have looked at. */
  async summedWhole(some: readonly MovementRecord[]): Promise<Set<string>> {
    if (some.length === 0) return new Set();
    const { rows } = await sql<{ movement_id: string; summed: string }>`
      select movement_id, summed from settlement_matches
      where movement_id in (${sql.join(some.map(({ id }) => id))}) and summed <> '0'`.execute(this.store.db);
    const sums = new Map<string, bigint>();
    for (const { movement_id: id, summed } of rows) sums.set(id, (sums.get(id) ?? 0n) + BigInt(summed));
    return new Set(some.filter(({ id, amount }) => (sums.get(id) ?? 0n) >= amount).map(({ id }) => id));
  }

  /** By report and movement. */
  private async unsummed(limit: number, after?: UnsummedMatch): Promise<UnsummedMatch[]> {
    const found: UnsummedMatch[] = [];
    let place = after;
    for (let settlement = after?.settlementId; found.length < limit;) {
      settlement ??= await this.unsummedReport(place?.settlementId ?? '');
      if (settlement === undefined) return found;
      const rest = await this.unsummedOf(settlement, limit - found.length, place);
      found.push(...rest);
      if (found.length >= limit) return found;
      place = { settlementId: settlement, line: 0, movementId: '', gross: '0' };
      settlement = undefined;
    }
    return found;
  }

  /** The next finished report that has any. */
  private async unsummedReport(after: string): Promise<string | undefined> {
    for (let last = after; ;) {
      const { rows } = await sql<{ id: string; finished_at: number | null }>`
        select settlement_id as id, finished_at from settlement_matches
        join settlements on settlements.id = settlement_id
        where summed <> gross and settlement_id > ${last} order by settlement_id limit 1`.execute(
        this.store.db,
      );
      const [row] = rows;
      if (!row) return undefined;
      if (row.finished_at !== null) return row.id;
      last = row.id;
    }
  }

  private async unsummedOf(
    settlement: string,
    limit: number,
    after?: UnsummedMatch,
  ): Promise<UnsummedMatch[]> {
    const place: RawBuilder<unknown> =
      after?.settlementId === settlement
        ? sql`and (movement_id, line) > (${after.movementId}, ${after.line})`
        : sql``;
    const { rows } = await sql<StoredRow>`
      select settlement_id, line, movement_id, gross, summed from settlement_matches
      where summed <> gross and settlement_id = ${settlement} ${place}
      order by movement_id, line limit ${limit}`.execute(this.store.db);
    return rows.map(readMatch);
  }

  /** All rows of finished reports that settle these movements, or did. */
  private async allOf(ids: readonly string[]): Promise<Match[]> {
    if (ids.length === 0) return [];
    const { rows } = await sql<StoredRow>`
      select settlement_id, line, movement_id, gross, summed from settlement_matches
      join settlements on settlements.id = settlement_id
      where movement_id in (${sql.join([...ids])}) and finished_at is not null`.execute(this.store.db);
    return rows.map(readMatch);
  }

  /** Movements with their rows. */
  private async counted(matches: readonly Match[]): Promise<[Counted, readonly Match[]][]> {
    const own = Map.groupBy(matches, ({ movementId }) => movementId);
    if (own.size === 0) return [];
    const { rows } = await sql<StoredRow>`
      select ${COUNTED_COLUMNS} from movements where id in (${sql.join([...own.keys()])})`.execute(
      this.store.db,
    );
    return rows.map(readCounted).map((movement) => [movement, own.get(movement.id) ?? []]);
  }
}

interface Match extends UnsummedMatch {
  /** What of it the kept sums hold. */
  readonly summed: string;
}

function readMatch(row: StoredRow): Match {
  return {
    settlementId: String(row['settlement_id']),
    line: Number(row['line']),
    movementId: String(row['movement_id']),
    gross: String(row['gross']),
    summed: String(row['summed']),
  };
}

function sumOf(matches: readonly Match[], of: (match: Match) => string): bigint {
  return matches.reduce((sum, match) => sum + BigInt(of(match)), 0n);
}

/** Whether a row comes no later than another one of the same movement, or of the movements around it. */
function isUpTo(one: UnsummedMatch, other: UnsummedMatch): boolean {
  if (one.settlementId !== other.settlementId) return one.settlementId < other.settlementId;
  if (one.movementId !== other.movementId) return one.movementId < other.movementId;
  return one.line <= other.line;
}

/**
 * The kept sums have looked at these, and forget what nothing settles any more. Says whether all of them were still as they were when they
 * were read.
 */
export async function markSummed(db: Kysely<Tables>, matches: readonly UnsummedMatch[]): Promise<boolean> {
  for (const [settlement, own] of Map.groupBy(matches, ({ settlementId }) => settlementId)) {
    for (let from = 0; from < own.length; from += MARKED_AT_ONCE) {
      const some = own.slice(from, from + MARKED_AT_ONCE);
      const rows = some.map(
        ({ line, movementId, gross }) => sql`(cast(${line} as bigint), ${movementId}, ${gross})`,
      );
      const { numAffectedRows = 0n } = await sql`
        update settlement_matches set summed = gross
        where settlement_id = ${settlement} and (line, movement_id, gross) in (values ${sql.join(rows)})`.execute(
        db,
      );
      if (Number(numAffectedRows) !== some.length) return false;
      await sql`
        delete from settlement_matches
        where settlement_id = ${settlement} and (line, movement_id, gross) in (values ${sql.join(
          some.map(({ line, movementId }) => sql`(cast(${line} as bigint), ${movementId}, '0')`),
        )})`.execute(db);
    }
  }
  return true;
}
