import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import {
  type SettlementDifferenceRecord,
  settlementDifferences,
  type SettlementRecord,
  settlements,
} from '../../store/schema.js';
import { decodeRow, encodeRow, type RowOf, type StoredRow } from '../../store/table.js';
import { Store } from '../../store/store.js';
import {
  DIFFERENCE_STATES,
  ORDER_DIFFERENCES,
  type DifferenceKind,
  type DifferenceState,
} from '../difference.js';

/** How many rows one statement removes or marks: the embedded store serves nobody else meanwhile. */
const BATCH = 500;

/** Rows that were left, and may go another way when the gateway is asked again. */
const WANTED_AGAIN: readonly DifferenceState[] = DIFFERENCE_STATES.filter(
  (state) => state.startsWith('left_') && state !== 'left_known' && state !== 'left_reference',
);

const FINISHED = [
  'digest',
  'firstAt',
  'lastAt',
  'rowCount',
  'counts',
  'skipped',
  'setAside',
  'paidFrom',
  'paidUntil',
  'finishedAt',
] as const;

/** A comparison's results, but for its differences. */
export type Finished = Pick<SettlementRecord, (typeof FINISHED)[number]>;

/** Comparisons and their differences. One that is not finished is not there for anybody but its maker. */
@Injectable()
export class SettlementsRepository {
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

  async findByDigest(digest: string): Promise<SettlementRecord | undefined> {
    const row = await this.store.db
      .selectFrom('settlements')
      .selectAll()
      .where('digest', '=', digest)
      .where('finished_at', 'is not', null)
      .executeTakeFirst();
    return row && toSettlement(row);
  }

  /** One page, the newest first. */
  async list(limit: number, before?: string): Promise<SettlementRecord[]> {
    let query = this.store.db.selectFrom('settlements').selectAll().where('finished_at', 'is not', null);
    if (before !== undefined) query = query.where('id', '<', before);
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toSettlement);
  }

  /** Writes a comparison down that begins. */
  async begin(settlement: SettlementRecord): Promise<void> {
    await this.store.db
      .insertInto('settlements')
      .values(encodeRow(settlements, settlement) as unknown as RowOf<SettlementRecord>)
      .execute();
  }

  async addDifferences(differences: readonly SettlementDifferenceRecord[]): Promise<void> {
    if (differences.length === 0) return;
    await this.store.db
      .insertInto('settlement_differences')
      .values(
        differences.map(
          (difference) =>
            encodeRow(settlementDifferences, difference) as unknown as RowOf<SettlementDifferenceRecord>,
        ),
      )
      .execute();
  }

  /**
   * Makes a comparison count, in one statement. False where there is another one of the same file by now, or where it was taken for
   * abandoned and removed.
   */
  async finish(id: string, finished: Finished): Promise<boolean> {
    const set = encodeRow(settlements, finished as SettlementRecord, [...FINISHED]);
    const { numUpdatedRows } = await this.store.db
      .updateTable('settlements')
      .set(set)
      .where('id', '=', id)
      .where('digest', '=', id)
      .where('finished_at', 'is', null)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb.selectFrom('settlements as other').select('other.id').where('digest', '=', finished.digest),
          ),
        ),
      )
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Comparisons that were begun and not finished. */
  async running(): Promise<string[]> {
    const rows = await this.store.db
      .selectFrom('settlements')
      .select('id')
      .where('finished_at', 'is', null)
      .execute();
    return rows.map(({ id }) => id);
  }

  /**
   * Removes a comparison that was not finished, in small batches. It is first made one that cannot be finished any more, since
   * whoever works at it may still live; one that is finished by now stays.
   */
  async drop(id: string): Promise<void> {
    await this.store.db
      .updateTable('settlements')
      .set({ digest: `dropped ${id}` })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .execute();
    if (await this.find(id)) return;
    await this.clear('settlement_differences', 'number', id);
    await this.clear('settlement_returns', 'line', id);
    await this.store.db
      .deleteFrom('settlements')
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .execute();
  }

  /** Differences in the order in which they were found, after the one with this number. */
  async differences(
    { id, ordersFrom, ordersUntil }: SettlementRecord,
    { kind, after, limit }: { kind?: DifferenceKind; after: number; limit: number },
  ): Promise<SettlementDifferenceRecord[]> {
    let query = this.store.db
      .selectFrom('settlement_differences')
      .selectAll()
      .where('settlement_id', '=', id)
      .where('number', '>', after)
      .where((eb) =>
        eb.or([
          eb('kind', 'not in', [...ORDER_DIFFERENCES]),
          eb.and([eb('number', '>=', ordersFrom ?? 0), eb('number', '<=', ordersUntil ?? -1)]),
        ]),
      );
    if (kind !== undefined) query = query.where('kind', '=', kind);
    return (await query.orderBy('number').limit(limit).execute()).map(toDifference);
  }

  /** Which of these payments another report has named as settled, though here they were not paid then, or otherwise. */
  async settledElsewhere(settlementId: string, paymentIds: readonly string[]): Promise<Set<string>> {
    if (paymentIds.length === 0) return new Set();
    const rows = await this.store.db
      .selectFrom('settlement_differences')
      .innerJoin('settlements', 'settlements.id', 'settlement_differences.settlement_id')
      .select('payment_id')
      .where('payment_id', 'in', [...paymentIds])
      .where('kind', 'in', ['not_paid_here', 'unknown_here', 'amount_differs'])
      .where('settlement_id', '<>', settlementId)
      .where('finished_at', 'is not', null)
      .execute();
    return new Set(rows.flatMap(({ payment_id: id }) => id ?? []));
  }

  /** How many differences of a kind are in which state. */
  async states(settlementId: string, kind: DifferenceKind): Promise<Map<DifferenceState, number>> {
    const rows = await this.store.db
      .selectFrom('settlement_differences')
      .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
      .where('settlement_id', '=', settlementId)
      .where('kind', '=', kind)
      .where('state', 'is not', null)
      .groupBy('state')
      .execute();
    return new Map(rows.map(({ state, count }) => [state as DifferenceState, Number(count)]));
  }

  /** Differences of finished comparisons in a state that something is to be done about by now, the longest due first. */
  async due(state: DifferenceState, now: number, limit: number): Promise<SettlementDifferenceRecord[]> {
    const rows = await this.store.db
      .selectFrom('settlement_differences')
      .innerJoin('settlements', 'settlements.id', 'settlement_differences.settlement_id')
      .selectAll('settlement_differences')
      .where('state', '=', state)
      .where('due_at', '<=', now)
      .where('finished_at', 'is not', null)
      .orderBy('due_at')
      .limit(limit)
      .execute();
    return rows.map(toDifference);
  }

  /** Whether a comparison has differences in this state that something is still to be done about. */
  async hasDue(settlementId: string, state: DifferenceState): Promise<boolean> {
    const row = await this.store.db
      .selectFrom('settlement_differences')
      .select('number')
      .where('state', '=', state)
      .where('due_at', 'is not', null)
      .where('settlement_id', '=', settlementId)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Moves a difference to another state, if it is still in the one that it was read in. */
  async move(
    { settlementId, number, state }: SettlementDifferenceRecord,
    to: { state: DifferenceState; dueAt: number | null; paymentId?: string },
  ): Promise<void> {
    await this.store.db
      .updateTable('settlement_differences')
      .set({
        state: to.state,
        due_at: to.dueAt,
        ...(to.paymentId !== undefined && { payment_id: to.paymentId }),
      })
      .where('settlement_id', '=', settlementId)
      .where('number', '=', number)
      .where('state', state === null ? 'is' : '=', state)
      .execute();
  }

  /** Puts off what is to be done about a difference. */
  async putOff({ settlementId, number, state }: SettlementDifferenceRecord, dueAt: number): Promise<void> {
    await this.store.db
      .updateTable('settlement_differences')
      .set({ due_at: dueAt })
      .where('settlement_id', '=', settlementId)
      .where('number', '=', number)
      .where('state', '=', state)
      .execute();
  }

  /**
   * Wants rows that are unknown here to be taken over: those that nobody has wanted yet, and those that were left and may go
   * another way now. In small batches.
   */
  async wantAdopted(settlementId: string, actor: string, now: number): Promise<void> {
    for (let after = 0; ;) {
      const rows = await this.store.db
        .selectFrom('settlement_differences')
        .select(['number', 'state'])
        .where('settlement_id', '=', settlementId)
        .where('kind', '=', 'unknown_here')
        .where('number', '>', after)
        .orderBy('number')
        .limit(BATCH)
        .execute();
      const numbers = rows
        .filter(({ state }) => state === null || WANTED_AGAIN.some((left) => left === state))
        .map(({ number }) => number);
      if (numbers.length > 0) {
        await this.store.db
          .updateTable('settlement_differences')
          .set({ state: 'to_adopt', due_at: now, actor })
          .where('settlement_id', '=', settlementId)
          .where('number', 'in', numbers)
          .execute();
      }
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      after = last.number;
    }
  }

  /** Removes what a list of orders differs in, but for these numbers. */
  async dropOrderDifferences(settlementId: string, kept: { from: number; until: number }): Promise<void> {
    for (const kind of ORDER_DIFFERENCES) {
      const dropped = sql`kind = ${kind} and (number < ${kept.from} or number > ${kept.until})`;
      await this.clear('settlement_differences', 'number', settlementId, dropped);
    }
  }

  /** Removes rows of a comparison, in small batches. */
  private async clear(
    table: 'settlement_differences' | 'settlement_returns',
    column: 'number' | 'line',
    settlementId: string,
    only = sql`true`,
  ): Promise<void> {
    const [rows, place] = [sql.table(table), sql.ref(column)];
    for (;;) {
      const { numAffectedRows = 0n } = await sql`delete from ${rows}
        where settlement_id = ${settlementId} and ${place} in (
          select ${place} from ${rows} where settlement_id = ${settlementId} and ${only} order by ${place} limit ${BATCH})`.execute(
        this.store.db,
      );
      if (numAffectedRows < BATCH) return;
    }
  }

  /** The number of the last difference. */
  async lastNumber(settlementId: string): Promise<number> {
    const row = await this.store.db
      .selectFrom('settlement_differences')
      .select('number')
      .where('settlement_id', '=', settlementId)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.number ?? 0;
  }

  /** Writes down how a list of orders compares, in one statement. */
  async finishOrders(
    id: string,
    finished: Pick<
      SettlementRecord,
      'counts' | 'ordersDigest' | 'ordersAt' | 'orderCount' | 'ordersFrom' | 'ordersUntil'
    >,
  ): Promise<void> {
    await this.store.db
      .updateTable('settlements')
      .set(
        encodeRow(settlements, finished as SettlementRecord, [
          'counts',
          'ordersDigest',
          'ordersAt',
          'orderCount',
          'ordersFrom',
          'ordersUntil',
        ]),
      )
      .where('id', '=', id)
      .execute();
  }
}

const toSettlement = (row: object): SettlementRecord => decodeRow(settlements, row as StoredRow);

const toDifference = (row: object): SettlementDifferenceRecord =>
  decodeRow(settlementDifferences, row as StoredRow);
