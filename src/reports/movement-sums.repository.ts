import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import type { TimeZone } from '../calendar/time-zone.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { SUMMED_MOVEMENTS } from '../store/meta-names.js';
import { movementSums, type Tables } from '../store/schema.js';
import { Store } from '../store/store.js';
import { columnsOf, decodeRow, encodeRow, type StoredRow } from '../store/table.js';
import { keyOf, MovementTotals, type Counted, type MovementTotal } from './movement-totals.js';
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

/** Another process has written sums meanwhile. */
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

  /** The totals of all movements from one time to another, to the last one that is committed. */
  async of({ from, to }: { from?: number | undefined; to?: number | undefined }): Promise<MovementTotal[]> {
    for (let tries = 1; ; tries += 1) {
      const state = await this.read();
      if (!this.isOurs(state)) return this.scan({ from, to });
      const totals = await this.ofKept(state, { from, to });
      // Where somebody has written sums meanwhile, something may be counted twice or not at all.
      if ((await this.read())?.step === state.step) return totals;
      if (tries >= MAX_TRIES) return this.scan({ from, to });
    }
  }

  /** The days in which any movement was settled, or not; undefined where that is not kept, so that all must be looked at. */
  async daysWith(
    settled: boolean,
    filter: { from?: number | undefined; to?: number | undefined; currency?: string | undefined },
  ): Promise<number[] | undefined> {
    if ((await this.kept()) !== 'ours') return undefined;
    const counts = new Map<number, number>();
    for (const { day, currency, count, settledCount } of await this.of(this.wholeDays(filter))) {
      if (filter.currency !== undefined && currency !== filter.currency) continue;
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
    for (const row of rows) totals.add(row, { counted: true, settled: false });
    const matches = await this.settled.unsummed(limit);
    for (const movement of await this.settled.becomeWhole(matches, new Map()))
      totals.add(movement, { counted: false, settled: true });
    if (rows.length === 0 && matches.length === 0 && mark === state.mark) return false;
    const isWritten = await this.write(state, { ...state, mark }, async (db) => {
      const before = new Map((await this.sumsLike(totals.all, db)).map((total) => [keyOf(total), total]));
      const after = new MovementTotals(this.zone);
      for (const total of [...before.values(), ...totals.all]) after.addTotal(total);
      await putSums(db, after.all);
      await markSummed(db, matches);
    });
    return !isWritten || rows.length >= limit || matches.length >= limit;
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
    const row = await this.store.db
      .selectFrom('meta')
      .select('value')
      .where('name', '=', SUMMED_MOVEMENTS)
      .executeTakeFirst();
    return row && (JSON.parse(row.value) as State);
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

  private wholeDays({ from, to }: { from?: number | undefined; to?: number | undefined }): {
    from?: number;
    to?: number;
  } {
    return {
      ...(from !== undefined && { from: this.zone.startOf(this.zone.dayOf(from)) }),
      ...(to !== undefined && { to: this.zone.startOf(this.zone.dayOf(to) + 1) }),
    };
  }

  private async ofKept(
    state: State,
    { from, to }: { from?: number | undefined; to?: number | undefined },
  ): Promise<MovementTotal[]> {
    const { zone } = this;
    const first = from === undefined ? undefined : dayFrom(zone, from);
    const end = to === undefined ? undefined : dayUntil(zone, to);
    // Between two moments of one day.
    if (first !== undefined && end !== undefined && first >= end) return this.scan({ from, to });
    const begins = first === undefined ? -Infinity : zone.startOf(first);
    const ends = end === undefined ? Infinity : zone.startOf(end);
    const within = ({ at }: Counted): boolean => at >= begins && at < ends;
    const totals = new MovementTotals(zone);
    // What is settled is read before what is there, so that each that is settled is there.
    const partly = new Map<string, bigint>();
    let last: UnsummedMatch | undefined;
    do {
      const matches = await this.settled.unsummed(AT_ONCE[this.store.kind], last);
      for (const movement of await this.settled.becomeWhole(matches, partly))
        if (within(movement)) totals.add(movement, { counted: false, settled: true });
      last = matches.at(-1);
      if (last) await nextTurn();
    } while (last);
    await this.commits.eachWritten(state.mark, (row) => {
      if (within(row)) totals.add(row, { counted: true, settled: false });
    });
    const { rows } = await sql<StoredRow>`
      select * from movement_sums where ${sql.join(
        [
          sql`1 = 1`,
          ...(first === undefined ? [] : [sql`day >= ${first}`]),
          ...(end === undefined ? [] : [sql`day < ${end}`]),
        ],
        sql` and `,
      )}`.execute(this.store.db);
    for (const row of rows) totals.addTotal(decodeRow(movementSums, row));
    const edges = [
      ...(from !== undefined && from < begins ? [{ from, to: begins }] : []),
      ...(to !== undefined && ends < to ? [{ from: ends, to }] : []),
    ];
    for (const edge of edges) for (const total of await this.scan(edge)) totals.addTotal(total);
    return totals.all;
  }

  /** Adds up movements from their entries. With `mark`, only what is summed up to it. */
  private async scan(
    stretch: { from?: number | undefined; to?: number | undefined },
    { mark, isStopped = () => false }: { mark?: number; isStopped?: () => boolean } = {},
  ): Promise<MovementTotal[]> {
    const totals = new MovementTotals(this.zone);
    const limit = AT_ONCE[this.store.kind];
    for (let after: MovementPlace | undefined; !isStopped();) {
      const rows = await this.entries.list(stretch, limit, after);
      const later = mark === undefined ? undefined : await this.commits.writtenAfter(mark, rows);
      const settled =
        mark === undefined ? await this.entries.settledOf(rows) : await this.settled.summedWhole(rows);
      for (const row of rows)
        if (!later?.has(row.id)) totals.add(row, { counted: true, settled: settled.has(row.id) });
        // Nothing of it is summed but that it was settled.
        else if (settled.has(row.id)) totals.add(row, { counted: false, settled: true });
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
    return rows.map((row) => decodeRow(movementSums, row)).filter((total) => names.has(keyOf(total)));
  }
}

/** The first day that begins at a moment or later. */
function dayFrom(zone: TimeZone, at: number): number {
  const day = zone.dayOf(at);
  return zone.startOf(day) === at ? day : day + 1;
}

/** The day after the last one that has ended at a moment. */
function dayUntil(zone: TimeZone, at: number): number {
  return zone.dayOf(at);
}

const SUM_COLUMNS = columnsOf(movementSums);
const NEW_VALUES = ['count', 'amount', 'settled_count', 'settled_amount', 'late_count']
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
      const row = encodeRow(movementSums, total);
      return sql`(${sql.join(SUM_COLUMNS.map((column) => sql`${row[column]}`))})`;
    });
    await sql`
      insert into movement_sums (${sql.raw(SUM_COLUMNS.join(', '))}) values ${sql.join(rows)}
      on conflict (day, currency, method, kind) do update set ${sql.raw(NEW_VALUES)}`.execute(db);
  }
}
