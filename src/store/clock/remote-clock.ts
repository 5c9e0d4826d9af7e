import { MACHINE, type TimeSources } from './store-clock.js';

/** A reading of another clock: its time, and our monotonic time before it was asked for and after it came. */
export interface Sample {
  time: number;
  sentAt: number;
  receivedAt: number;
}

/** How far the other clock is ahead of our monotonic one, and how much that may be wrong, either way. */
export interface Offset {
  value: number;
  error: number;
  /** When it was measured, by our monotonic clock. */
  at: number;
}

/** After this time a less exact measurement replaces a more exact one, because clocks drift. */
const STALE_AFTER_MS = 10_000;
/** Rounding to whole milliseconds, and drift within `STALE_AFTER_MS`. */
const SLACK_MS = 5;
/** A correction of less than this holds the clock still for as long; by a greater one the other clock was set back. */
const HOLD_MS = 1_000;

/** The other clock was read between `sentAt` and `receivedAt`; the middle is wrong by half the way at most. */
export function offsetOf({ time, sentAt, receivedAt }: Sample): Offset {
  const error = Math.max(0, receivedAt - sentAt) / 2;
  return { value: time - sentAt - error, error, at: receivedAt };
}

/**
 * The better of two measurements: the more exact one, unless it is stale, or the two exclude each other. Then the other
 * clock was set since, and the newer one counts. Pure.
 */
export function betterOffset(known: Offset | undefined, newer: Offset): Offset {
  if (!known || newer.error <= known.error || newer.at - known.at >= STALE_AFTER_MS) return newer;
  const apart = Math.abs(newer.value - known.value);
  return apart > newer.error + known.error + SLACK_MS ? newer : known;
}

/**
 * A clock elsewhere, read now and then and carried on by our own monotonic clock in between. Small corrections never set
 * it back; it follows the other clock back where that was set.
 */
export class RemoteClock {
  private offset: Offset | undefined;
  private last = -Infinity;

  constructor(private readonly sources: TimeSources = MACHINE) {}

  take(sample: Sample): void {
    this.offset = betterOffset(this.offset, offsetOf(sample));
  }

  now(): number {
    if (!this.offset) return this.sources.wall();
    const now = Math.floor(this.offset.value + this.sources.monotonic());
    if (now > this.last || this.last - now > HOLD_MS) this.last = now;
    return this.last;
  }

  /** How far the wall clock is ahead. What a measurement may be wrong by never counts as an error. */
  wallClockError(): number | undefined {
    if (!this.offset) return undefined;
    const ahead = this.sources.wall() - (this.offset.value + this.sources.monotonic());
    const certain = Math.abs(ahead) - this.offset.error;
    if (certain <= 0) return 0;
    return ahead > 0 ? certain : -certain;
  }
}
