import { Injectable } from '@nestjs/common';
import { type SettlementReturnRecord, settlementReturns } from '../../store/schema.js';
import { decodeRow, encodeRow, type RowOf, type StoredRow } from '../../store/table.js';
import { Store } from '../../store/store.js';

/** What settlement reports say has gone back. */
@Injectable()
export class ReturnsRepository {
  constructor(private readonly store: Store) {}

  async add(returns: readonly SettlementReturnRecord[]): Promise<void> {
    await this.store.db
      .insertInto('settlement_returns')
      .values(
        returns.map((one) => encodeRow(settlementReturns, one) as unknown as RowOf<SettlementReturnRecord>),
      )
      .execute();
  }

  /** What finished reports say of these gateway references, and a report that is being compared. */
  async of(references: readonly string[], comparing?: string): Promise<SettlementReturnRecord[]> {
    const rows = await this.store.db
      .selectFrom('settlement_returns')
      .innerJoin('settlements', 'settlements.id', 'settlement_returns.settlement_id')
      .selectAll('settlement_returns')
      .where('reference', 'in', [...new Set(references)])
      .where((eb) => eb.or([eb('finished_at', 'is not', null), eb('settlement_id', '=', comparing ?? '')]))
      .execute();
    return rows.map((row) => decodeRow(settlementReturns, row as StoredRow));
  }
}
