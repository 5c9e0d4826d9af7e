/**
 * At most `limit` in any period of `milliseconds`. The window slides, so no two full periods can meet. Times are
 * readings of one monotonic clock.
 */
export class SlidingWindow {
  readonly #taken: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly milliseconds: number,
  ) {}

  /** When there is room next; `now` if there is some already. */
  freeAt(now: number): number {
    this.#forget(now);
    const [oldest] = this.#taken;
    if (this.#taken.length < this.limit) return now;
    return oldest === undefined ? Infinity : oldest + this.milliseconds;
  }

  /** Takes a place if there is one. Returns whether it did. */
  take(now: number): boolean {
    this.#forget(now);
    if (this.#taken.length >= this.limit) return false;
    this.#taken.push(now);
    return true;
  }

  #forget(now: number): void {
    const kept = this.#taken.findIndex((at) => at + this.milliseconds > now);
    this.#taken.splice(0, kept < 0 ? this.#taken.length : kept);
  }
}
