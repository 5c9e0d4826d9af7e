import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../store-unavailable.js';
import { EmbeddedClock } from './embedded-clock.js';
import type { RunningStoreClock } from './store-clock.js';

/** The row of `meta` that keeps the time. */
export const STORE_TIME = 'store_time';

const FIRST =
  'insert into meta (value, name) values (?, ?) on conflict (name) do update set value = excluded.value';
/** Does nothing in a store whose time is before the one that this process has kept. */
const NEXT = 'update meta set value = ? where name = ? and cast(value as integer) >= ?';

/** The embedded store's clock, with its time kept in that store. */
export class SqliteClock implements RunningStoreClock {
  private readonly clock = new EmbeddedClock();
  private keeping = false;
  private confirmed: number | undefined;
  /** What the transaction under way has written. */
  private written: number | undefined;

  constructor(private readonly database: DatabaseSync) {}

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

  /**
   * Keeps the time in the transaction that is under way, at most once a second. Throws where the store has gone back behind what
   * this process has kept in it. Then the transaction must not be committed.
   */
  keep(): void {
    this.written = undefined;
    const now = this.keeping ? this.clock.toKeep() : undefined;
    if (now !== undefined) this.write(now);
  }

  /** The transaction in which `keep` was called has been committed. */
  committed(): void {
    this.confirmed = this.written ?? this.confirmed;
    this.written = undefined;
  }

  end(): void {
    if (!this.keeping) return;
    this.keeping = false;
    try {
      this.write(this.clock.now());
      this.committed();
    } catch {
      // A full disk must not keep the store from closing. What was kept last counts.
    }
  }

  private write(now: number): void {
    const { confirmed } = this;
    const value = String(now);
    const { changes } =
      confirmed === undefined
        ? this.database.prepare(FIRST).run(value, STORE_TIME)
        : this.database.prepare(NEXT).run(value, STORE_TIME, confirmed);
    if (changes !== 1) throw new StoreUnavailable('the embedded store has gone back to an earlier time');
    this.written = now;
  }
}
