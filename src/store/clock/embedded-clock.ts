import { MACHINE, type TimeSources } from './store-clock.js';

/** How much of the store's time a crash may forget, while the store is written to. */
const KEEP_EVERY_MS = 1_000;

/**
 * The clock of the embedded store. It starts at the later of the wall clock and the last time that was kept, so that it
 * never goes back across a restart, and then follows no wall clock at all.
 */
export class EmbeddedClock {
  private base: number;
  private readonly begunAt: number;
  private keptAt = -Infinity;

  constructor(private readonly sources: TimeSources = MACHINE) {
    this.base = sources.wall();
    this.begunAt = sources.monotonic();
  }

  /** `kept` is what an earlier process has kept, or undefined. */
  begin(kept: number | undefined): void {
    // A value that is no time must not stop the clock.
    if (kept !== undefined && Number.isSafeInteger(kept)) this.base = Math.max(this.base, kept);
    this.keptAt = -Infinity;
  }

  now(): number {
    return Math.floor(this.base + this.sources.monotonic() - this.begunAt);
  }

  /** The time to be kept together with what is written now; undefined where that was done less than a second ago. */
  toKeep(): number | undefined {
    const at = this.sources.monotonic();
    if (at - this.keptAt < KEEP_EVERY_MS) return undefined;
    this.keptAt = at;
    return this.now();
  }
}
