import type { DatabaseSync } from 'node:sqlite';
import { EmbeddedClock } from './embedded-clock.js';
import type { RunningStoreClock } from './store-clock.js';

/** The row of `meta` that keeps the time. */
export const STORE_TIME = 'store_time';

/** The embedded store's clock, with its time kept in that store. */
export class SqliteClock implements RunningStoreClock {
  private readonly clock = new EmbeddedClock();
  private begun = false;

  constructor(private readonly database: DatabaseSync) {}

  begin(): Promise<void> {
    const kept = this.database.prepare('select value from meta where name = ?').get(STORE_TIME)?.['value'];
    this.clock.begin(kept === undefined ? undefined : Number(kept));
    this.begun = true;
    return Promise.resolve();
  }

  now(): number {
    return this.clock.now();
  }

  wallClockError(): undefined {
    return undefined;
  }

  /** Keeps the time in the transaction that is under way, at most once a second. */
  keep(): void {
    const now = this.begun ? this.clock.toKeep() : undefined;
    if (now !== undefined) this.write(now);
  }

  end(): void {
    if (!this.begun) return;
    try {
      this.write(this.clock.now());
    } catch {
      // A full disk must not keep the store from closing. What was kept last counts.
    }
  }

  private write(now: number): void {
    this.database
      .prepare(
        'insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
      )
      .run(STORE_TIME, String(now));
  }
}
