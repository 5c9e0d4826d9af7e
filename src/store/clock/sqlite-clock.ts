import type { DatabaseSync } from 'node:sqlite';
import type { SqliteWriter } from '../sqlite/writer.js';
import { StoreUnavailable } from '../store-unavailable.js';
import { EmbeddedClock } from './embedded-clock.js';
import type { RunningStoreClock } from './store-clock.js';

/** The row of `meta` that keeps the time. */
export const STORE_TIME = 'store_time';

const FIRST =
  'insert into meta (value, name) values (?, ?) on conflict (name) do update set value = excluded.value';
/** Does nothing in a store whose time is before the one that this process has kept. */
const NEXT = 'update meta set value = ? where name = ? and cast(value as integer) >= ?';

/** A statement that keeps the time. It must change a row: see `SqliteClock.goneBack`. */
export interface KeptTime {
  readonly at: number;
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** The embedded store's clock, with its time kept in that store. */
export class SqliteClock implements RunningStoreClock {
  private readonly clock = new EmbeddedClock();
  private keeping = false;
  private confirmed: number | undefined;

  constructor(
    private readonly database: DatabaseSync,
    private readonly writer: Pick<SqliteWriter, 'run'>,
  ) {}

  /** Reads what was kept, and writes nothing: a store that must not be used stays as it is. */
  begin(): Promise<void> {
    const kept = this.database.prepare('select value from meta where name = ?').get(STORE_TIME)?.['value'];
    const time = kept === undefined ? undefined : Number(kept);
    this.clock.begin(time);
    this.confirmed = Number.isSafeInteger(time) ? time : undefined;
    return Promise.resolve();
  }

  /** The store may be used: from now on the time is kept in it. */
  startKeeping(): void {
    this.keeping = true;
  }

  now(): number {
    return this.clock.now();
  }

  wallClockError(): undefined {
    return undefined;
  }

  /** The last time that the store has confirmed. Its own is never before it, unless the store has gone back. */
  get reached(): number | undefined {
    return this.confirmed;
  }

  /** Keeps the time in the transaction that is to come, at most once a second. */
  toKeep(): KeptTime | undefined {
    const now = this.keeping ? this.clock.toKeep() : undefined;
    return now === undefined ? undefined : this.statement(now);
  }

  /** The transaction that kept it has been committed. */
  committed({ at }: KeptTime): void {
    this.confirmed = at;
  }

  /** What it means that the statement has changed no row. Its transaction must not be committed. */
  goneBack(): StoreUnavailable {
    return new StoreUnavailable('the embedded store has gone back to an earlier time');
  }

  async end(): Promise<void> {
    if (!this.keeping) return;
    this.keeping = false;
    const kept = this.statement(this.clock.now());
    const { sql, values } = kept;
    try {
      const answer = await this.writer.run({ kind: 'statement', sql, values, beside: false });
      if (answer.kind === 'rows' && answer.changes === 1) this.committed(kept);
    } catch {
      // A full disk must not keep the store from closing. What was kept last counts.
    }
  }

  private statement(at: number): KeptTime {
    const { confirmed } = this;
    return confirmed === undefined
      ? { at, sql: FIRST, values: [String(at), STORE_TIME] }
      : { at, sql: NEXT, values: [String(at), STORE_TIME, confirmed] };
  }
}
