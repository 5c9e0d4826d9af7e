/** The `Date` header counts whole seconds: half of one is the best guess of the rest. */
const HALF_A_SECOND = 500;
/** Answers tell the same time to within so much. Less than that moves nothing, so that a countdown does not waver. */
const SAME_MS = 2_000;

/**
 * The service's clock, as its answers tell it. The payer's own clock may be wrong by minutes or by years, so nothing is
 * decided by it: between two answers the browser only counts on (`performance.now()`). A device that sleeps may stop
 * counting, which the next answer mends.
 */
export class ServiceClock {
  /** The service's time when `performance.now()` was zero. */
  #start: number | undefined;

  /** Learns from the `Date` header of an answer that arrived `at` this reading of `performance.now()`. */
  hear(date: string | null, at: number): void {
    const told = Date.parse(date ?? '');
    if (Number.isNaN(told)) return;
    const start = told + HALF_A_SECOND - at;
    if (this.#start === undefined || Math.abs(start - this.#start) > SAME_MS) this.#start = start;
  }

  /** Milliseconds since 1970; undefined until an answer has told the time. */
  now(at = performance.now()): number | undefined {
    return this.#start === undefined ? undefined : this.#start + at;
  }
}
