/** What a request asks of the service: a new payment or session, or a step of a payment that there is. */
export type Load = 'start' | 'step';

/** A request that was let in. */
export interface Admitted {
  readonly load: Load;
  /** When all of it had come, in milliseconds of the clock that the caller uses. */
  readonly at: number;
  /** Whether it has come as far as its commit, and so waits no more. */
  passed: boolean;
}

/** What a new payment may wait for its first commit. */
const TARGET_MS = 750;
/** So long, and nothing more is let in until the line moves again. */
const STALLED_MS = 2_000;
/** How many may wait: at least, before anything is known, and at most. */
const LEAST = 64;
const FIRST = 256;
const MOST = 2_048;
/** Steps of payments that there are may wait so many times as long a line. */
const STEPS_SHARE = 4;
/** New payments under way at once, those that wait for the gateway included: each holds some memory. */
const MOST_UNDER_WAY = 4_096;
/** A line that was too long is at least halved twice over, at most left as it is but for a tenth. */
const SHORTEN_AT_MOST = 0.25;
const SHORTEN_AT_LEAST = 0.9;
const LENGTHEN = 1.1;

/**
 * Decides how many requests may wait for their first commit, so that those that are let in are answered in time, and all others
 * at once. It learns the length of the line from how long new payments wait in it: too long, and the line becomes shorter in proportion;
 * in time, and it becomes a tenth longer. Of what is not new more may wait, so it is refused last. A machine with time to spare
 * never has so many waiting, so it refuses nobody.
 *
 * Pure: it is told the time, in milliseconds of any clock that does not jump.
 */
export class Admission {
  #limit = FIRST;
  #waiting = 0;
  #startsUnderWay = 0;
  /** New payments that wait, the oldest first. */
  readonly #line = new Set<Admitted>();
  #shortenedAt = -Infinity;
  #lengthenedAt = -Infinity;
  /** Whether the line was nearly full since it last became longer. */
  #wasFull = false;

  /** How many may wait at present. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether a request that comes now would be refused. Counts nothing. */
  refuses(load: Load, now: number): boolean {
    if (!this.#isFull(load, now)) return false;
    this.#wasFull = true;
    return true;
  }

  /** Lets a request in, or refuses it (`undefined`). Tell of each that was let in that it has `passed` and, always, that it has `ended`. */
  admit(load: Load, now: number): Admitted | undefined {
    if (this.refuses(load, now)) return undefined;
    const admitted: Admitted = { load, at: now, passed: false };
    this.#waiting++;
    if (this.#waiting >= this.#limit / 2) this.#wasFull = true;
    if (load === 'start') {
      this.#startsUnderWay++;
      this.#line.add(admitted);
    }
    return admitted;
  }

  /** The request has been committed to, and waits for others from now on: the gateway, or nobody. */
  passed(admitted: Admitted, now: number): void {
    if (!this.#leave(admitted)) return;
    // A step may have waited for something else: for whoever holds its payment.
    if (admitted.load === 'start') this.#learn(admitted, now);
  }

  /** The request has been answered, or its caller is gone. Once for each. */
  ended(admitted: Admitted): void {
    this.#leave(admitted);
    if (admitted.load === 'start') this.#startsUnderWay--;
  }

  #isFull(load: Load, now: number): boolean {
    if (load === 'step') return this.#waiting >= this.#limit * STEPS_SHARE;
    if (this.#startsUnderWay >= MOST_UNDER_WAY || this.#waiting >= this.limit) return true;
    return this.#waiting >= LEAST && this.#longestWait(now) > STALLED_MS;
  }

  #longestWait(now: number): number {
    for (const { at } of this.#line) return now - at;
    return 0;
  }

  #leave(admitted: Admitted): boolean {
    if (admitted.passed) return false;
    admitted.passed = true;
    this.#waiting--;
    this.#line.delete(admitted);
    return true;
  }

  #learn({ at }: Admitted, now: number): void {
    const waited = now - at;
    if (waited > TARGET_MS) {
      // Who came before the line became shorter says nothing about the shorter one.
      if (at < this.#shortenedAt) return;
      const factor = Math.min(SHORTEN_AT_LEAST, Math.max(SHORTEN_AT_MOST, TARGET_MS / waited));
      this.#limit = Math.max(LEAST, this.#limit * factor);
      this.#shortenedAt = now;
      this.#wasFull = false;
      return;
    }
    if (now - Math.max(this.#lengthenedAt, this.#shortenedAt) < TARGET_MS) return;
    // A line that was never full says nothing, except that it may be as long as at first.
    const most = this.#wasFull ? MOST : FIRST;
    if (this.#limit < most) this.#limit = Math.min(most, this.#limit * LENGTHEN);
    this.#lengthenedAt = now;
    this.#wasFull = false;
  }
}
