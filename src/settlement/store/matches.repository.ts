import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import {
  settledKinds,
  settlementMatches,
  type MovementKind,
  type RecordedMethod,
  type SettledKindRecord,
  type SettlementMatchRecord,
} from '../../store/schema.js';
import { decodeRow, type StoredRow } from '../../store/table.js';
import { Store } from '../../store/store.js';
import { insertRows, rowsWith } from './json-rows.js';

/** What reports have been seen to carry. */
export interface Carried {
  readonly kinds: ReadonlySet<MovementKind>;
  readonly currencies: ReadonlySet<string>;
  readonly methods: ReadonlySet<RecordedMethod>;
}

/** Which rows of reports settle which movements. */
@Injectable()
export class MatchesRepository {
  private readonly seen = new Set<string>();

  constructor(private readonly store: Store) {}

  /** The matches of these movements. */
  async ofMovements(ids: readonly string[]): Promise<SettlementMatchRecord[]> {
    if (ids.length === 0) return [];
    const found = rowsWith(this.store, ids, {
      table: 'settlement_matches',
      as: 'kept',
      column: 'movement_id',
    });
    const { rows } = await sql<StoredRow>`select kept.* from ${found} where kept.gross <> '0'`.execute(
      this.store.db,
    );
    return rows.map((row) => decodeRow(settlementMatches, row));
  }

  /** Adds matches. One that is there already, or was to go, becomes as it is now. */
  async add(matches: readonly SettlementMatchRecord[]): Promise<void> {
    await insertRows(this.store, settlementMatches, matches, {
      conflict: sql`(settlement_id, line, movement_id) do update set gross = excluded.gross, fee = excluded.fee, net = excluded.net, at = excluded.at`,
    });
  }

  /** Removes matches. One that the sums of the ledger hold settles nothing from now on, and is removed once they have taken it back. */
  async remove(matches: readonly SettlementMatchRecord[]): Promise<void> {
    for (const { settlementId, line, movementId } of matches) {
      const isIt = sql`settlement_id = ${settlementId} and line = ${line} and movement_id = ${movementId}`;
      await sql`delete from settlement_matches where ${isIt} and summed = '0'`.execute(this.store.db);
      await sql`update settlement_matches set gross = '0' where ${isIt}`.execute(this.store.db);
    }
  }

  /** Notes what reports carry. Says whether any of it is new. */
  async noteCarried(kinds: readonly SettledKindRecord[]): Promise<boolean> {
    const keyOf = ({ kind, currency, method }: SettledKindRecord): string => `${kind} ${currency} ${method}`;
    const fresh = kinds.filter((kind) => !this.seen.has(keyOf(kind)));
    if (fresh.length === 0) return false;
    await insertRows(this.store, settledKinds, fresh);
    for (const kind of fresh) this.seen.add(keyOf(kind));
    return true;
  }

  /** What reports have been seen to carry so far. */
  async carried(): Promise<Carried> {
    const rows = await this.store.db.selectFrom('settled_kinds').selectAll().execute();
    const records = rows.map((row) => decodeRow(settledKinds, row as StoredRow));
    return {
      kinds: new Set(records.map(({ kind }) => kind)),
      currencies: new Set(records.map(({ currency }) => currency)),
      methods: new Set(records.map(({ method }) => method)),
    };
  }
}
