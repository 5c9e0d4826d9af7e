import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { type SettlementRecord, settlements } from '../../store/schema.js';
import { decodeRow, encodeRow, type RowOf, type StoredRow } from '../../store/table.js';
import { Store } from '../../store/store.js';

const READ = [
  'digest',
  'rowsId',
  'firstAt',
  'lastAt',
  'rowCount',
  'skipped',
  'setAside',
  'totals',
  'fees',
  'matchedTo',
  'matchedAt',
  'rowsMatched',
  'rowsDifferent',
] as const satisfies readonly (keyof SettlementRecord)[];
/** What is known of a report once it is read. */
export type ReadReport = Pick<SettlementRecord, (typeof READ)[number]>;

const MATCHED = [
  'matchedAt',
  'finishedAt',
  'counts',
  'paidFrom',
  'paidUntil',
  'rowsMatched',
  'rowsDifferent',
] as const satisfies readonly (keyof SettlementRecord)[];
/** What is known of it once its rows are matched. */
export type MatchedReport = Pick<SettlementRecord, (typeof MATCHED)[number]>;

const ORDERS = [
  'counts',
  'ordersDigest',
  'ordersAt',
  'orderCount',
] as const satisfies readonly (keyof SettlementRecord)[];

/** Settlement reports. One whose rows are not matched yet is not there for anybody but its maker. */
@Injectable()
export class SettlementsRepository {
  /** Expected fees never change: they are those of the profile with which a report was read. */
  private readonly fees = new Map<string, readonly object[]>();

  constructor(private readonly store: Store) {}

  async find(id: string): Promise<SettlementRecord | undefined> {
    const row = await this.store.db
      .selectFrom('settlements')
      .selectAll()
      .where('id', '=', id)
      .where('finished_at', 'is not', null)
      .executeTakeFirst();
    return row && toSettlement(row);
  }

  /** Who has sent a report, also one whose rows are still being matched. */
  async senderOf(id: string): Promise<string | undefined> {
    const row = await this.store.db
      .selectFrom('settlements')
      .select('actor')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.actor;
  }

  /** A report that was read, by one of these digests of its file. Its rows may not be matched yet. */
  async findByDigest(digests: readonly string[]): Promise<SettlementRecord | undefined> {
    const row = await this.store.db
      .selectFrom('settlements')
      .selectAll()
      .where('digest', 'in', [...digests])
      .where((eb) => eb.or([eb('finished_at', 'is not', null), eb('rows_id', 'is not', null)]))
      .executeTakeFirst();
    return row && toSettlement(row);
  }

  /** One page, the newest first. */
  async list(limit: number, before?: string): Promise<SettlementRecord[]> {
    let query = this.store.db.selectFrom('settlements').selectAll().where('finished_at', 'is not', null);
    if (before !== undefined) query = query.where('id', '<', before);
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toSettlement);
  }

  /** Writes a report down that begins to be read. */
  async begin(settlement: SettlementRecord): Promise<void> {
    await this.store.db
      .insertInto('settlements')
      .values(encodeRow(settlements, settlement) as unknown as RowOf<SettlementRecord>)
      .execute();
  }

  /**
   * Makes a report's rows count, in one statement. False where there is another report of the same file by now, or where this one was taken
   * for abandoned.
   */
  async read(id: string, report: ReadReport): Promise<boolean> {
    const { numUpdatedRows } = await this.store.db
      .updateTable('settlements')
      .set(encodeRow(settlements, report as SettlementRecord, [...READ]))
      .where('id', '=', id)
      .where('digest', '=', id)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb.selectFrom('settlements as other').select('other.id').where('digest', '=', report.digest),
          ),
        ),
      )
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** The same for a report that a version before 0.3.0 has compared: it has kept no rows. False where it has some by now. */
  async readAgain(id: string, { digest: _, ...report }: ReadReport): Promise<boolean> {
    const set = READ.filter((property) => property !== 'digest');
    const { numUpdatedRows } = await this.store.db
      .updateTable('settlements')
      .set(encodeRow(settlements, report as SettlementRecord, set))
      .where('id', '=', id)
      .where('rows_id', 'is', null)
      .executeTakeFirst();
    this.fees.delete(id);
    return numUpdatedRows > 0n;
  }

  /** Notes how far a report's rows are matched. */
  async progress(
    id: string,
    {
      matchedTo,
      rowsMatched,
      rowsDifferent,
    }: Pick<SettlementRecord, 'matchedTo' | 'rowsMatched' | 'rowsDifferent'>,
  ): Promise<void> {
    await this.store.db
      .updateTable('settlements')
      .set({ matched_to: matchedTo, rows_matched: rowsMatched, rows_different: rowsDifferent })
      .where('id', '=', id)
      .execute();
  }

  /** Shows a report, in one statement. */
  async finish(id: string, matched: MatchedReport): Promise<void> {
    await this.store.db
      .updateTable('settlements')
      .set(encodeRow(settlements, matched as SettlementRecord, [...MATCHED]))
      .where('id', '=', id)
      .execute();
  }

  /** Reports that were begun and not read to their end. */
  async running(): Promise<string[]> {
    const rows = await this.store.db
      .selectFrom('settlements')
      .select('id')
      .where('finished_at', 'is', null)
      .where('rows_id', 'is', null)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Reports that were read and whose rows are not all matched, the oldest first. */
  async unmatched(): Promise<SettlementRecord[]> {
    const rows = await this.store.db
      .selectFrom('settlements')
      .selectAll()
      .where('rows_id', 'is not', null)
      .where('matched_at', 'is', null)
      .orderBy('id')
      .execute();
    return rows.map(toSettlement);
  }

  /**
   * Gives a report up that was not read to its end: it is first made one that cannot be read any more, since whoever works at it may still
   * live. False where it was read by now, or its rows are those of another report.
   */
  async giveUp(id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.store.db
      .updateTable('settlements')
      .set({ digest: `dropped ${id}` })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .where('rows_id', 'is', null)
      .where((eb) =>
        eb.not(
          eb.exists(eb.selectFrom('settlements as other').select('other.id').where('other.rows_id', '=', id)),
        ),
      )
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Removes a report that was not read, once nobody needs its rows by its name. */
  async remove(id: string): Promise<void> {
    await this.store.db
      .deleteFrom('settlements')
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .where('rows_id', 'is', null)
      .execute();
  }

  /** Writes down how a list of orders compares, in one statement. */
  async finishOrders(id: string, finished: Pick<SettlementRecord, (typeof ORDERS)[number]>): Promise<void> {
    await this.store.db
      .updateTable('settlements')
      .set(encodeRow(settlements, finished as SettlementRecord, [...ORDERS]))
      .where('id', '=', id)
      .execute();
  }

  /** The expected fees of these reports. */
  async feesOf(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly object[]>> {
    const fresh = [...ids].filter((id) => !this.fees.has(id));
    if (fresh.length > 0) {
      const rows = await this.store.db
        .selectFrom('settlements')
        .select(['id', 'fees'])
        .where('id', 'in', fresh)
        .execute();
      for (const { id, fees } of rows) this.fees.set(id, JSON.parse(fees) as readonly object[]);
    }
    return this.fees;
  }

  /** When the newest row of all reports was settled; undefined: no report says when. */
  async newestRow(): Promise<number | undefined> {
    const { rows } = await sql<{ last_at: number | null }>`select last_at from settlements
      where rows_id is not null and last_at is not null order by last_at desc limit 1`.execute(this.store.db);
    return rows[0]?.last_at ?? undefined;
  }

  /** Up to when payments were paid that reports named which a version before 0.3.0 has compared; 0: there is no such report. */
  async formerUntil(): Promise<number> {
    const { rows } = await sql<{ until: number | null }>`select max(paid_until) as until from settlements
      where finished_at is not null and rows_id is null`.execute(this.store.db);
    return Number(rows[0]?.until ?? 0);
  }

  /** Whether there is any report. */
  async any(): Promise<boolean> {
    const row = await this.store.db.selectFrom('settlements').select('id').limit(1).executeTakeFirst();
    return row !== undefined;
  }
}

const toSettlement = (row: object): SettlementRecord => decodeRow(settlements, row as StoredRow);
