/**
 * At most `limit` in any stretch of `milliseconds`, wherever it begins: it slides, so two full ones never meet at an edge.
 * Times are readings of one monotonic clock.
 */
export class SlidingWindow {
  readonly #taken: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly milliseconds: number,
  ) {}

  /** When there is room next: `now` where there is some. */
  freeAt(now: number): number {
    this.#forget(now);
    const [oldest] = this.#taken;
    if (this.#taken.length < this.limit) return now;
    return oldest === undefined ? Infinity : oldest + this.milliseconds;
  }

  /** Takes a place, where there is one; says whether there was. */
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
