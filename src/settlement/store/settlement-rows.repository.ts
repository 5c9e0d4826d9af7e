import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { settlementRows, type SettlementRowRecord } from '../../store/schema.js';
import { decodeRow, type StoredRow } from '../../store/table.js';
import { Store } from '../../store/store.js';
import type { FileAmount } from '../files/file-amount.js';
import type { OrderRow } from '../files/orders-reader.js';
import {
  isMovementRow,
  type MovementRowType,
  type OrderStanding,
  type ReportRow,
} from '../files/report-row.js';
import type { ListedOrder } from '../match/order-differences.js';
import { sizeOf, type KeptRow } from '../match/kept-row.js';
import type { PayoutPart } from '../match/payouts.js';
import { insertRows, rowsWith } from './json-rows.js';

/** Once so many rows of a payment are kept of a report, no more of them are. Such a report is wrong, and is told so by the first ones. */
export const MOST_ROWS_EACH = 200;
/** How many rows one statement removes: the embedded store serves nobody else meanwhile. */
const BATCH = 500;

/** Where a row stands, and what it is part of. */
export interface RowPlace {
  readonly line: number;
  /** Empty where it is about no payment. */
  readonly reference: string;
  readonly payout: string | null;
  /** Whether it is about a payment, and the first one of its report that is about that. */
  readonly isFirst: boolean;
}

/** A row, and by what it is known. */
export interface RowToKeep {
  readonly row: ReportRow;
  readonly identity: string;
  /** Which it is among the equal ones of its file, from 1; of a payment's among those that are added together. */
  readonly nth: number;
}

/** An order of the merchant's own list, as it is kept while the list is compared. */
export type KeptOrder = ListedOrder & { readonly line: number; readonly reference: string };

const OF_PAYMENTS = {
  table: 'settlement_rows',
  as: 'kept',
  column: 'reference',
  where: sql`kept.reference <> ''`,
};

/** The rows of settlement reports. They count once a report names them. */
@Injectable()
export class SettlementRowsRepository {
  constructor(private readonly store: Store) {}

  /**
   * Adds rows of a file, in its order. Returns how many: of a payment that has very many not all. The store says which of a payment's rows were
   * there before, so that no file must be remembered.
   */
  async add(rowsId: string, rows: readonly RowToKeep[]): Promise<number> {
    const before = sql`settlement_rows as earlier where ${ofSamePayment('added')}`;
    return insertRows(
      this.store,
      settlementRows,
      rows.map((one) => toRecord(rowsId, one)),
      {
        values: {
          nth: sql`added.nth + (select count(*) from ${before} and earlier.identity = added.identity)`,
        },
        where: sql`(select count(*) from ${before}) < ${sql.lit(MOST_ROWS_EACH)}`,
      },
    );
  }

  /** The orders of a list. They count as rows of no report. */
  async addOrders(rowsId: string, orders: readonly OrderRow[]): Promise<void> {
    const blank = {
      identity: '',
      nth: 1,
      transactionRef: null,
      refundRef: null,
      payout: null,
      fee: null,
      net: null,
    };
    await insertRows(
      this.store,
      settlementRows,
      orders.map(({ line, reference, amount, currency, standing }): SettlementRowRecord => ({
        ...{ ...blank, rowsId, line, reference, currency, settledFrom: null, settledUntil: null },
        ...{ type: `order ${standing}`, amount: written(amount) },
      })),
    );
  }

  /** The orders of a list after a line. */
  async ordersAfter(rowsId: string, line: number, limit: number): Promise<KeptOrder[]> {
    const rows = await this.store.db
      .selectFrom('settlement_rows')
      .selectAll()
      .where('rows_id', '=', rowsId)
      .where('line', '>', line)
      .orderBy('line')
      .limit(limit)
      .execute();
    return rows.map((row) => {
      const { type, amount, currency, ...record } = decodeRow(settlementRows, row as StoredRow);
      const standing = type.slice('order '.length) as OrderStanding;
      return {
        line: record.line,
        reference: record.reference,
        amount: read(amount),
        currency: currency ?? '',
        standing,
      };
    });
  }

  /** What all reports say of these payments, by the gateway's references. */
  async ofReferences(references: readonly string[]): Promise<Map<string, KeptRow[]>> {
    const { rows } = await sql<StoredRow>`select kept.*, settlements.id as settlement_id
      from ${rowsWith(this.store, references, OF_PAYMENTS)} join settlements on settlements.rows_id = kept.rows_id`.execute(
      this.store.db,
    );
    const kept = rows.flatMap((row) => toKept(row) ?? []);
    return Map.groupBy(kept, ({ reference }) => reference);
  }

  /** Which of these references any report names. */
  async named(references: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ reference: string }>`select distinct kept.reference
      from ${rowsWith(this.store, references, OF_PAYMENTS)}`.execute(this.store.db);
    return rows.map(({ reference }) => reference);
  }

  /** The places of rows after a line, in the order of their file. */
  async placesAfter(rowsId: string, line: number, limit: number): Promise<RowPlace[]> {
    const { rows } = await sql<Omit<RowPlace, 'isFirst'> & { is_first: boolean | number }>`
      select line, reference, payout, reference <> '' and not exists (
        select 1 from settlement_rows as earlier where ${ofSamePayment('kept')} and earlier.line < kept.line) as is_first
      from settlement_rows as kept where rows_id = ${rowsId} and line > ${line} order by line limit ${limit}`.execute(
      this.store.db,
    );
    return rows.map(({ is_first: isFirst, ...place }) => ({ ...place, isFirst: Boolean(isFirst) }));
  }

  /** Removes rows that an earlier report has too. */
  async drop(rowsId: string, lines: readonly number[]): Promise<void> {
    for (let from = 0; from < lines.length; from += BATCH) {
      await this.store.db
        .deleteFrom('settlement_rows')
        .where('rows_id', '=', rowsId)
        .where('line', 'in', lines.slice(from, from + BATCH))
        .execute();
    }
  }

  /** Removes all rows of one reading, in small batches. */
  async dropAll(rowsId: string): Promise<void> {
    for (let dropped = BATCH; dropped === BATCH;) {
      const { numAffectedRows } =
        await sql`delete from settlement_rows where rows_id = ${rowsId} and line in (
        select line from settlement_rows where rows_id = ${rowsId} order by line limit ${BATCH})`.execute(
          this.store.db,
        );
      dropped = Number(numAffectedRows);
    }
  }

  /** A page of the rows of a payout by all reports, after a place. */
  async ofPayout(
    payout: string,
    after: { rowsId: string; line: number },
    limit: number,
  ): Promise<PayoutPart[]> {
    const { rows } = await sql<StoredRow>`select kept.*, settlements.id as settlement_id
      from settlement_rows kept join settlements on settlements.rows_id = kept.rows_id
      where kept.payout = ${payout} and (kept.rows_id, kept.line) > (${after.rowsId}, ${after.line})
      order by kept.rows_id, kept.line limit ${limit}`.execute(this.store.db);
    return rows.map((row) => {
      const record = decodeRow(settlementRows, row);
      const type = record.type as PayoutPart['type'];
      return { ...record, type, settlementId: String(row['settlement_id']), ...amountsOf(record) };
    });
  }
}

/**
 * Rows `earlier` of the same payment and the same reading. The reading is compared as an expression, so that they are found by their payment in any
 * case: there are few of a payment, and of a reading as many as a file has rows.
 */
function ofSamePayment(row: 'added' | 'kept'): RawBuilder<unknown> {
  return sql`earlier.reference = ${sql.ref(`${row}.reference`)} and earlier.reference <> ''
    and earlier.rows_id || '' = ${sql.ref(`${row}.rows_id`)}`;
}

/**
 * By which rows of several reports are known to be the same. A payment's rows bring it; fees and payouts are known by all that they say, payouts
 * without their sign, which each shape of a report writes in its own way.
 */
export function identityOf(row: ReportRow): string {
  if (isMovementRow(row)) return row.identity;
  const { type, transactionRef, payout, currency, settledAt } = row;
  const reference = row.type === 'fee' ? row.reference : null;
  const signed = sizeOf(row);
  const size = row.type === 'payout' && signed < 0n ? -signed : signed;
  const said = [type, reference, transactionRef, payout, size, currency, settledAt?.from];
  return hash('sha256', said.join('\u001f')).slice(0, 32);
}

function toRecord(rowsId: string, { row, identity, nth }: RowToKeep): SettlementRowRecord {
  const { line, type, transactionRef, payout, currency, settledAt } = row;
  const movement = isMovementRow(row) ? row : undefined;
  return {
    ...{ rowsId, line, identity, nth, type, transactionRef, payout, currency },
    reference: movement?.reference ?? '',
    refundRef: movement?.refundRef ?? null,
    amount: written(row.amount),
    fee: movement?.fee ? written(movement.fee) : null,
    net: movement?.net ? written(movement.net) : null,
    settledFrom: settledAt?.from ?? null,
    settledUntil: settledAt?.until ?? null,
  };
}

/** A row about a payment's money; undefined of any other. */
function toKept(stored: StoredRow): KeptRow | undefined {
  const record = decodeRow(settlementRows, stored);
  if (record.type === 'fee' || record.type === 'payout') return undefined;
  const { line, identity, nth, reference, transactionRef, refundRef, payout, currency } = record;
  const { settledFrom, settledUntil } = record;
  return {
    ...{ line, identity, nth, reference, transactionRef, refundRef, payout, currency },
    ...amountsOf(record),
    settlementId: String(stored['settlement_id']),
    type: record.type as MovementRowType,
    settledAt:
      settledFrom === null || settledUntil === null ? null : { from: settledFrom, until: settledUntil },
  };
}

function amountsOf(record: SettlementRowRecord): {
  amount: FileAmount;
  fee: FileAmount | null;
  net: FileAmount | null;
} {
  const { amount, fee, net } = record;
  return { amount: read(amount), fee: fee === null ? null : read(fee), net: net === null ? null : read(net) };
}

/** `1500.00`, or `150000m` in minor units. */
function written({ digits, decimals }: FileAmount): string {
  if (decimals === null) return `${digits}m`;
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(decimals + 1, '0');
  return sign + (decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`);
}

function read(text: string): FileAmount {
  if (text.endsWith('m')) return { digits: BigInt(text.slice(0, -1)), decimals: null };
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), decimals: fraction.length };
}
