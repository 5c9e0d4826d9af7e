const MINUTE_MS = 60_000;

/**
 * When questions were asked about each payment in the last minute, as a window that slides. Pure but for its own state: the time is
 * given, as a reading of one monotonic clock.
 */
export class QuestionCounts {
  /** The payments that were asked about longest ago first. */
  readonly #asked = new Map<string, number[]>();

  /** @param most questions about one payment in any minute. */
  constructor(private readonly most: number) {}

  /** How many milliseconds until one more may be asked about this payment; 0 where that is now. */
  wait(paymentId: string, now: number): number {
    const recent = this.#recent(paymentId, now);
    const freeing = recent.at(-this.most);
    return freeing === undefined ? 0 : freeing + MINUTE_MS - now;
  }

  /** One is asked. */
  count(paymentId: string, now: number): void {
    const asked = [...this.#recent(paymentId, now), now];
    this.#asked.delete(paymentId);
    this.#asked.set(paymentId, asked);
    for (const [other, times] of this.#asked) {
      if ((times.at(-1) ?? now) > now - MINUTE_MS) break;
      this.#asked.delete(other);
    }
  }

  #recent(paymentId: string, now: number): number[] {
    return (this.#asked.get(paymentId) ?? []).filter((at) => at > now - MINUTE_MS);
  }
}
