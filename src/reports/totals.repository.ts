import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { DAY_MS, dayText } from '../calendar/time-zone.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { TimeRange } from '../payments/api/payment-filter.js';
import { keysBetween, timesBetween } from '../payments/state/payment-list.js';
import type { PaymentStatus, RecordedMethod } from '../store/schema.js';
import { Store } from '../store/store.js';

/** What the payments of one day, method, status and currency come to. Minor units. */
export interface Total {
  /** `2031-01-31`, in the time zone of the books. */
  day: string;
  /** `2031-01` */
  month: string;
  method: RecordedMethod;
  status: PaymentStatus;
  currency: string;
  count: number;
  amount: bigint;
  captured: bigint;
  refunded: bigint;
}

/** The embedded store serves nobody else while it reads, so it reads a little at a time; PostgreSQL has processes of its own. */
const AT_ONCE = { embedded: 2_000, postgres: 100_000 } as const;
/** Sums of the embedded store are made of two halves, so that no number of the largest amounts is too large for it. */
const HALF = 1_000_000;

type Row = Record<string, string | number | null>;

/** Adds payments up, from the index of payments by method alone. */
@Injectable()
export class TotalsRepository {
  constructor(
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Pick<Config, 'booksTimeZone'>,
  ) {}

  /** The totals of all payments made in a range of time, as they now stand. Each payment is counted once. */
  async of(range: TimeRange): Promise<Total[]> {
    const totals = new Map<string, Total>();
    const day = await this.dayOf();
    if (!day) return [];
    for (const method of await this.methods()) {
      let last: string | undefined;
      do {
        const rows = await this.chunk(method, range, day, last);
        for (const row of rows) add(totals, method, row);
        const counted = rows.reduce((sum, row) => sum + Number(row['count']), 0);
        last = counted < AT_ONCE[this.store.kind] ? undefined : lastOf(rows);
        await nextTurn();
      } while (last !== undefined);
    }
    return [...totals.values()];
  }

  /** The methods that any payment has, each found by one look into the index. */
  private async methods(): Promise<RecordedMethod[]> {
    const found: RecordedMethod[] = [];
    for (let last = ''; ;) {
      const { rows } = await sql<{ method: RecordedMethod }>`
        select method from payments where method > ${last} order by method limit 1`.execute(this.store.db);
      const [row] = rows;
      if (!row) return found;
      found.push(row.method);
      last = row.method;
    }
  }

  /** The day of a payment, as an expression; undefined where there is no payment. */
  private async dayOf(): Promise<RawBuilder<unknown> | undefined> {
    const { rows } = await sql<{ at: number }>`
      select * from (select created_at as at from payments order by id limit 1) as first union all
      select * from (select created_at as at from payments order by id desc limit 1) as last`.execute(
      this.store.db,
    );
    const [first, last] = rows.map(({ at }) => Number(at));
    if (first === undefined || last === undefined) return undefined;
    // Ids are nearly in the order of the times.
    const offsets = this.config.booksTimeZone.offsetsBetween(first - DAY_MS, last + DAY_MS);
    const cases = offsets
      .slice(1)
      .map(
        ({ from }, index) => sql`when created_at < ${sql.lit(from)} then ${sql.lit(offsets[index]?.offset)}`,
      );
    const newest = sql.lit(offsets.at(-1)?.offset);
    const offset = cases.length === 0 ? newest : sql`case ${sql.join(cases, sql` `)} else ${newest} end`;
    return sql`(created_at + ${offset}) / ${sql.lit(DAY_MS)}`;
  }

  private async chunk(
    method: RecordedMethod,
    { from, to }: TimeRange,
    day: RawBuilder<unknown>,
    after?: string,
  ): Promise<Row[]> {
    // Compared as pairs, which only the index by method can do. PostgreSQL takes pairs that are not equal for none at all, and would sort what it
    // only has to count. No id equals the bound of a time, which is shorter, nor follows another one with this sign.
    const { first, last } = keysBetween(from, to);
    const conditions = [
      sql`(method, id) >= (${method}, ${after === undefined ? first : `${after}!`})`,
      sql`(method, id) <= (${method}, ${last})`,
      ...timesBetween(from, to),
    ];
    const sums = ['amount', 'amount_captured', 'amount_refunded'].map(SUM[this.store.kind]);
    const { rows } = await sql<Row>`
      select day, status, currency, count(*) as count, max(id) as last,
        ${sql.join(sums)}
      from (
        select id, ${day} as day, status, currency, amount, amount_captured, amount_refunded from payments
        where ${sql.join(conditions, sql` and `)}
        order by method, id limit ${AT_ONCE[this.store.kind]}) as chunk
      group by day, status, currency`.execute(this.store.db);
    return rows;
  }
}

/** A sum of a column. That of PostgreSQL may be of any size. */
const SUM: Readonly<Record<Store['kind'], (column: string) => RawBuilder<unknown>>> = {
  embedded: (column) => {
    const value = sql`cast(${sql.ref(column)} as bigint)`;
    const half = sql.lit(HALF);
    return sql`sum(${value} / ${half}) as ${sql.ref(`${column}_high`)}, sum(${value} % ${half}) as ${sql.ref(`${column}_low`)}`;
  },
  postgres: (column) => sql`sum(cast(${sql.ref(column)} as bigint)) as ${sql.ref(`${column}_low`)}`,
};

function sumOf(row: Row, column: string): bigint {
  const half = (name: string): bigint => BigInt(row[`${column}_${name}`] ?? 0);
  return half('high') * BigInt(HALF) + half('low');
}

function lastOf(rows: readonly Row[]): string {
  return rows.map(({ last }) => String(last)).reduce((one, other) => (one > other ? one : other));
}

function add(totals: Map<string, Total>, method: RecordedMethod, row: Row): void {
  const day = dayText(Number(row['day']));
  const [status, currency] = [String(row['status']) as PaymentStatus, String(row['currency'])];
  const key = `${day} ${method} ${status} ${currency}`;
  const before = totals.get(key);
  totals.set(key, {
    ...{ day, month: day.slice(0, 7), method, status, currency },
    count: (before?.count ?? 0) + Number(row['count']),
    amount: (before?.amount ?? 0n) + sumOf(row, 'amount'),
    captured: (before?.captured ?? 0n) + sumOf(row, 'amount_captured'),
    refunded: (before?.refunded ?? 0n) + sumOf(row, 'amount_refunded'),
  });
}

/** What a summary is by. */
export const SUMMARY_KEYS = ['day', 'month', 'method', 'currency'] as const;
export type SummaryKey = (typeof SUMMARY_KEYS)[number];

/** Totals put together by one of their members, and by status and currency, in the order of those. Pure. */
export function summarize(totals: readonly Total[], by: SummaryKey): Total[] {
  const sums = new Map<string, Total>();
  for (const total of totals) {
    const key = [total[by], total.currency, total.status].join(' ');
    const sum = sums.get(key);
    sums.set(key, sum ? plus(sum, total) : total);
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

function plus(one: Total, other: Total): Total {
  return {
    ...one,
    count: one.count + other.count,
    amount: one.amount + other.amount,
    captured: one.captured + other.captured,
    refunded: one.refunded + other.refunded,
  };
}
