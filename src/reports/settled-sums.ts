import { Injectable } from '@nestjs/common';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { MovementRecord, Tables } from '../store/schema.js';
import { Store } from '../store/store.js';
import type { StoredRow } from '../store/table.js';
import type { Counted } from './movement-totals.js';
import { COUNTED_COLUMNS, readCounted } from './written-movements.js';

/** A row of a report that no sum holds yet. */
export interface UnsummedMatch {
  settlementId: string;
  line: number;
  movementId: string;
  gross: bigint;
}

/** What reports have settled, in two parts: what the kept sums have looked at, and what they have not. */
@Injectable()
export class SettledSums {
  constructor(private readonly store: Store) {}

  /** Rows of finished reports that no sum holds yet, by report and movement. */
  async unsummed(limit: number, after?: UnsummedMatch): Promise<UnsummedMatch[]> {
    const found: UnsummedMatch[] = [];
    let place = after;
    for (let settlement = after?.settlementId; found.length < limit;) {
      settlement ??= await this.unsummedReport(place?.settlementId ?? '');
      if (settlement === undefined) return found;
      const rest = await this.unsummedOf(settlement, limit - found.length, place);
      found.push(...rest);
      if (found.length >= limit) return found;
      place = { settlementId: settlement, line: 0, movementId: '', gross: 0n };
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
        where summed = 0 and settlement_id > ${last} order by settlement_id limit 1`.execute(this.store.db);
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
      select settlement_id, line, movement_id, gross from settlement_matches
      where summed = 0 and settlement_id = ${settlement} ${place}
      order by movement_id, line limit ${limit}`.execute(this.store.db);
    return rows.map((row) => ({
      settlementId: String(row['settlement_id']),
      line: Number(row['line']),
      movementId: String(row['movement_id']),
      gross: BigInt(row['gross'] ?? 0),
    }));
  }

  /**
   * The movements that are settled in whole by these rows, and were not before.
   *
   * @param partly what rows before these have settled of movements in part; it is changed
   */
  async becomeWhole(matches: readonly UnsummedMatch[], partly: Map<string, bigint>): Promise<Counted[]> {
    if (matches.length === 0) return [];
    const fresh = new Map<string, bigint>();
    for (const { movementId, gross } of matches) fresh.set(movementId, (fresh.get(movementId) ?? 0n) + gross);
    const ids = [...fresh.keys()];
    const summed = await this.summedGross(ids);
    const { rows } = await sql<StoredRow>`
      select ${COUNTED_COLUMNS} from movements where id in (${sql.join(ids)})`.execute(this.store.db);
    return rows.map(readCounted).filter(({ id, amount }) => {
      const before = (summed.get(id) ?? 0n) + (partly.get(id) ?? 0n);
      const after = before + (fresh.get(id) ?? 0n);
      if (after < amount) partly.set(id, (partly.get(id) ?? 0n) + (fresh.get(id) ?? 0n));
      else if (partly.has(id)) partly.set(id, after);
      return before < amount && after >= amount;
    });
  }

  /** Those of these movements that were settled in whole by what the sums have looked at. */
  async summedWhole(some: readonly MovementRecord[]): Promise<Set<string>> {
    const sums = await this.summedGross(some.map(({ id }) => id));
    return new Set(some.filter(({ id, amount }) => (sums.get(id) ?? 0n) >= amount).map(({ id }) => id));
  }

  private async summedGross(ids: readonly string[]): Promise<Map<string, bigint>> {
    if (ids.length === 0) return new Map();
    const { rows } = await sql<{ movement_id: string; gross: string }>`
      select movement_id, gross from settlement_matches
      where movement_id in (${sql.join(ids)}) and summed = 1`.execute(this.store.db);
    const sums = new Map<string, bigint>();
    for (const { movement_id: id, gross } of rows) sums.set(id, (sums.get(id) ?? 0n) + BigInt(gross));
    return sums;
  }
}

/** The kept sums have looked at these. */
export async function markSummed(db: Kysely<Tables>, matches: readonly UnsummedMatch[]): Promise<void> {
  for (const [settlement, some] of Map.groupBy(matches, ({ settlementId }) => settlementId)) {
    await sql`
      update settlement_matches set summed = 1
      where settlement_id = ${settlement} and line in (${sql.join(some.map(({ line }) => line))})`.execute(
      db,
    );
  }
}
