import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import { DAY_MS, type TimeZone } from '../calendar/time-zone.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { TimeRange } from '../payments/api/payment-filter.js';
import { readMeta, SUMMED_MOVEMENTS } from '../store/meta.js';
import {
  type MovementKind,
  type MovementSumRecord,
  movementSums,
  type RecordedMethod,
  type Tables,
} from '../store/schema.js';
import { Store } from '../store/store.js';
import { columnsOf, encodeRow, type StoredRow } from '../store/table.js';
import {
  type Counted,
  type Figures,
  keyOf,
  type MovementTotal,
  MovementTotals,
  NAME_OF,
  type NamedTotal,
} from './movement-totals.js';
import type { SummaryKey } from './totals.repository.js';
import { MovementsRepository, type MovementPlace } from './movements.repository.js';
import { markSummed, SettledSums, type UnsummedMatch } from './settled-sums.js';
import { AT_ONCE, WrittenMovements } from './written-movements.js';

/** Sums that are written by one statement. */
const SUMS_AT_ONCE = 500;
/** So often a summary is read again that somebody was summing beside. */
const MAX_TRIES = 5;

/** What has been summed. It stands in one row of `meta`, whose text is another one after each change. */
interface State {
  /** The time zone of the sums. */
  zone: string;
  /** How often sums were written. */
  step: number;
  /** Up to which place in the order of commits movements are summed. */
  mark: number;
}

/** Days from the first one until before `end`, with their moments; infinite where nothing bounds them. */
interface WholeDays {
  first: number;
  end: number;
  begins: number;
  ends: number;
}

/** Another process has written sums meanwhile, or what they are made of has changed. */
class Overtaken extends Error {}

/**
 * What movements come to by day, currency, method and kind: sums that are kept, and what has been written since. Each commit has a place in
 * one order, of which the sums hold all up to a mark; so a total is exact at every moment, whoever commits how late.
 */
@Injectable()
export class MovementSumsRepository {
  private readonly zone: TimeZone;

  constructor(
    private readonly store: Store,
    private readonly entries: MovementsRepository,
    private readonly commits: WrittenMovements,
    private readonly settled: SettledSums,
    @Inject(CONFIG) config: Pick<Config, 'booksTimeZone'>,
  ) {
    this.zone = config.booksTimeZone;
  }

  /** Whether there are kept sums of this time zone, or of another one, or none at all. */
  async kept(): Promise<'ours' | 'others' | 'none'> {
    const state = await this.read();
    return this.isOurs(state) ? 'ours' : state ? 'others' : 'none';
  }

  /** What all movements come to from one time to another, to the last one that is committed, by one thing. */
  async of(range: TimeRange, by: SummaryKey): Promise<NamedTotal[]> {
    const named = (totals: readonly MovementTotal[]): NamedTotal[] =>
      totals.map((total) => ({ ...total, name: NAME_OF[by](total) }));
    for (let tries = 1; ; tries += 1) {
      const state = await this.read();
      if (!this.isOurs(state) || tries > MAX_TRIES) return named(await this.scan(range));
      const whole = this.wholeDaysIn(range);
      // Between two moments of one day.
      if (whole.first >= whole.end) return named(await this.scan(range));
      const totals = [...named(await this.beside(state, range, whole)), ...(await this.summed(whole, by))];
      // Where somebody has written sums meanwhile, something may be counted twice or not at all.
      if ((await this.read())?.step === state.step) return totals;
    }
  }

  /** The days in which any movement was settled, or not; undefined where that is not kept, so that all must be looked at. */
  async daysWith(
    settled: boolean,
    { from, to, currency: only }: TimeRange & { currency?: string | undefined },
  ): Promise<number[] | undefined> {
    if ((await this.kept()) !== 'ours') return undefined;
    const { zone } = this;
    const days = {
      from: from === undefined ? undefined : zone.startOf(zone.dayOf(from)),
      to: to === undefined ? undefined : zone.startOf(zone.dayOf(to) + 1),
    };
    const counts = new Map<number, number>();
    for (const { name, currency, count, settledCount } of await this.of(days, 'day')) {
      if (only !== undefined && currency !== only) continue;
      const day = Date.parse(name) / DAY_MS;
      counts.set(day, (counts.get(day) ?? 0) + (settled ? settledCount : count - settledCount));
    }
    return [...counts].flatMap(([day, count]) => (count > 0 ? [day] : [])).sort((one, other) => one - other);
  }

  /**
   * Adds what was written since to the kept sums, a little at a time. Whether there may be more. False also where the sums are of another
   * time zone.
   */
  async step(): Promise<boolean> {
    const state = await this.read();
    if (!this.isOurs(state)) return false;
    const limit = AT_ONCE[this.store.kind];
    const totals = new MovementTotals(this.zone);
    const { rows, mark } = await this.commits.written(state.mark, limit);
    for (const row of rows) totals.add(row, { settled: false });
    const { movements, matches, next } = await this.settled.changes(limit);
    for (const { movement, settled } of movements) totals.addSettled(movement, settled);
    if (rows.length === 0 && matches.length === 0 && mark === state.mark) return false;
    const isWritten = await this.write(state, { ...state, mark }, async (db) => {
      const before = new Map((await this.sumsLike(totals.all, db)).map((total) => [keyOf(total), total]));
      const after = new MovementTotals(this.zone);
      for (const total of [...before.values(), ...totals.all]) after.addTotal(total);
      await putSums(db, after.all);
      if (!(await markSummed(db, matches))) throw new Overtaken();
    });
    return !isWritten || rows.length >= limit || next !== undefined;
  }

  /** Makes all sums anew, by this time zone. Whether it did: otherwise somebody else has written sums meanwhile. */
  async rebuild(isStopped: () => boolean): Promise<boolean> {
    const state = await this.read();
    const mark = await this.commits.newestPlace();
    const totals = await this.scan({}, { mark, isStopped });
    if (isStopped()) return false;
    const next: State = { zone: this.zone.name, step: state?.step ?? 0, mark };
    return this.write(state, next, async (db) => {
      await sql`delete from movement_sums`.execute(db);
      await putSums(db, totals);
    });
  }

  private isOurs(state: State | undefined): state is State {
    return state?.zone === this.zone.name;
  }

  private async read(): Promise<State | undefined> {
    const text = await readMeta(this.store, SUMMED_MOVEMENTS);
    return text === undefined ? undefined : (JSON.parse(text) as State);
  }

  /** Writes sums where nobody else has since `state` was read. Whether it did. */
  private async write(
    state: State | undefined,
    after: State,
    work: (db: Kysely<Tables>) => Promise<void>,
  ): Promise<boolean> {
    const value = JSON.stringify({ ...after, step: after.step + 1 } satisfies State);
    try {
      await this.store.db.transaction().execute(async (transaction) => {
        await claim(transaction, state, value);
        await work(transaction);
      });
      return true;
    } catch (error) {
      if (error instanceof Overtaken) return false;
      throw error;
    }
  }

  /** The days that lie in a range as wholes. */
  private wholeDaysIn({ from, to }: TimeRange): WholeDays {
    const { zone } = this;
    const first = from === undefined ? -Infinity : dayFrom(zone, from);
    const end = to === undefined ? Infinity : zone.dayOf(to);
    return {
      ...{ first, end },
      begins: first === -Infinity ? -Infinity : zone.startOf(first),
      ends: end === Infinity ? Infinity : zone.startOf(end),
    };
  }

  /** What the kept sums do not hold: what was written or settled since, and the parts of days at both ends. */
  private async beside(
    { mark }: State,
    { from = -Infinity, to = Infinity }: TimeRange,
    { begins, ends }: WholeDays,
  ): Promise<MovementTotal[]> {
    const within = ({ at }: Counted): boolean => at >= begins && at < ends;
    const totals = new MovementTotals(this.zone);
    // What is settled is read before what is there, so that each that is settled is there.
    let place: UnsummedMatch | undefined;
    do {
      const { movements, next } = await this.settled.changes(AT_ONCE[this.store.kind], place);
      for (const { movement, settled } of movements)
        if (within(movement)) totals.addSettled(movement, settled);
      place = next;
      if (place) await nextTurn();
    } while (place);
    await this.commits.eachWritten(mark, (row) => {
      if (within(row)) totals.add(row, { settled: false });
    });
    if (from < begins) for (const total of await this.scan({ from, to: begins })) totals.addTotal(total);
    if (ends < to) for (const total of await this.scan({ from: ends, to })) totals.addTotal(total);
    return totals.all;
  }

  /** The kept sums of whole days, put together by the store. */
  private async summed({ first, end }: WholeDays, by: SummaryKey): Promise<NamedTotal[]> {
    const conditions = [
      sql`1 = 1`,
      ...(first === -Infinity ? [] : [sql`day >= ${first}`]),
      ...(end === Infinity ? [] : [sql`day < ${end}`]),
    ];
    const name = NAMES[this.store.kind][by];
    const sums = ['count', ...HALVES, 'settled_count', 'late_count'].map((one) => `sum(${one}) as ${one}`);
    const { rows } = await sql<StoredRow>`
      select ${sql.raw(`${name} as name, currency, kind, ${sums.join(', ')}`)} from movement_sums
      where ${sql.join(conditions, sql` and `)} group by 1, 2, 3`.execute(this.store.db);
    return rows.map((row) => ({ name: String(row['name']), ...figuresIn(row) }));
  }

  /** Adds up movements from their entries. With `mark`, only what is summed up to it. */
  private async scan(
    range: TimeRange,
    { mark, isStopped = () => false }: { mark?: number; isStopped?: () => boolean } = {},
  ): Promise<MovementTotal[]> {
    const totals = new MovementTotals(this.zone);
    const limit = AT_ONCE[this.store.kind];
    for (let after: MovementPlace | undefined; !isStopped();) {
      const rows = await this.entries.list(range, limit, after);
      const later = mark === undefined ? undefined : await this.commits.writtenAfter(mark, rows);
      const settled =
        mark === undefined ? await this.entries.settledOf(rows) : await this.settled.summedWhole(rows);
      for (const row of rows)
        if (!later?.has(row.id)) totals.add(row, { settled: settled.has(row.id) });
        // Nothing of it is summed but that it was settled.
        else if (settled.has(row.id)) totals.addSettled(row, true);
      after = rows.at(-1);
      if (rows.length < limit) break;
      await nextTurn();
    }
    return totals.all;
  }

  /** The kept sums of these names. */
  private async sumsLike(totals: readonly MovementTotal[], db: Kysely<Tables>): Promise<MovementTotal[]> {
    if (totals.length === 0) return [];
    const days = [...new Set(totals.map(({ day }) => day))];
    const { rows } = await sql<StoredRow>`
      select * from movement_sums where day in (${sql.join(days)})`.execute(db);
    const names = new Set(totals.map(keyOf));
    return rows.map(readTotal).filter((total) => names.has(keyOf(total)));
  }
}

/** The first day that begins at a moment or later. */
function dayFrom(zone: TimeZone, at: number): number {
  const day = zone.dayOf(at);
  return zone.startOf(day) === at ? day : day + 1;
}

/** A total is kept in two halves, so that the store can add up any number of the largest. */
const HALF = 1_000_000n;
const HALVES = ['high', 'low', 'settled_high', 'settled_low'] as const;

/** By what kept sums are put together, as expressions of either store. */
const NAMES: Readonly<Record<Store['kind'], Readonly<Record<SummaryKey, string>>>> = {
  embedded: {
    day: `date(day * 86400, 'unixepoch')`,
    month: `strftime('%Y-%m', day * 86400, 'unixepoch')`,
    method: 'method',
    currency: 'currency',
  },
  postgres: {
    day: `to_char(date '1970-01-01' + day::int, 'YYYY-MM-DD')`,
    month: `to_char(date '1970-01-01' + day::int, 'YYYY-MM')`,
    method: 'method',
    currency: 'currency',
  },
};

function figuresIn(row: StoredRow): Figures {
  const number = (name: string): number => Number(row[name] ?? 0);
  const half = (name: string): bigint => BigInt(row[name] ?? 0);
  return {
    currency: String(row['currency']),
    kind: String(row['kind']) as MovementKind,
    count: number('count'),
    amount: half('high') * HALF + half('low'),
    settledCount: number('settled_count'),
    settledAmount: half('settled_high') * HALF + half('settled_low'),
    lateCount: number('late_count'),
  };
}

function readTotal(row: StoredRow): MovementTotal {
  return { ...figuresIn(row), day: Number(row['day']), method: String(row['method']) as RecordedMethod };
}

function toRecord({ amount, settledAmount, ...total }: MovementTotal): MovementSumRecord {
  return {
    ...total,
    ...{ high: Number(amount / HALF), low: Number(amount % HALF) },
    ...{ settledHigh: Number(settledAmount / HALF), settledLow: Number(settledAmount % HALF) },
  };
}

const SUM_COLUMNS = columnsOf(movementSums);
const NEW_VALUES = ['count', ...HALVES, 'settled_count', 'late_count']
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

/** Writes that what was read of the state is no longer so. Throws `Overtaken` where it is not so any more. */
async function claim(db: Kysely<Tables>, state: State | undefined, value: string): Promise<void> {
  const { rows } = await (
    state
      ? sql`update meta set value = ${value}
          where name = ${SUMMED_MOVEMENTS} and value = ${JSON.stringify(state)} returning 1 as mine`
      : sql`insert into meta (name, value) values (${SUMMED_MOVEMENTS}, ${value})
          on conflict (name) do nothing returning 1 as mine`
  ).execute(db);
  if (rows.length === 0) throw new Overtaken();
}

/** Writes sums as they now are. */
async function putSums(db: Kysely<Tables>, sums: readonly MovementTotal[]): Promise<void> {
  for (let from = 0; from < sums.length; from += SUMS_AT_ONCE) {
    const rows = sums.slice(from, from + SUMS_AT_ONCE).map((total) => {
      const row = encodeRow(movementSums, toRecord(total));
      return sql`(${sql.join(SUM_COLUMNS.map((column) => sql`${row[column]}`))})`;
    });
    await sql`
      insert into movement_sums (${sql.raw(SUM_COLUMNS.join(', '))}) values ${sql.join(rows)}
      on conflict (day, currency, method, kind) do update set ${sql.raw(NEW_VALUES)}`.execute(db);
  }
}
