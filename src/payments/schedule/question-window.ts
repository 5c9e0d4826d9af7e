/**
 * The window is a little longer than a second, because requests that leave a second apart may arrive a little closer
 * together.
 */
const WINDOW_MS = 1_100;

/**
 * How many questions were sent in the last second, as a window that slides, so that no two full seconds can meet. A
 * question counts from when its place is taken until a second after it was sent, however long it takes in between.
 * Times are readings of one monotonic clock.
 */
export class QuestionWindow {
  /** Questions that have a place and were not sent yet. */
  #reserved = 0;
  /** When questions were sent, the oldest first. */
  readonly #sent: number[] = [];

  /** How many count now. */
  count(now: number): number {
    this.#forget(now);
    return this.#reserved + this.#sent.length;
  }

  /** When the next one ceases to count; `Infinity` where none is known to. */
  nextChange(): number {
    const [oldest] = this.#sent;
    return oldest === undefined ? Infinity : oldest + WINDOW_MS;
  }

  /** Takes a place. */
  reserve(): void {
    this.#reserved += 1;
  }

  /** A question that has a place was sent. */
  sent(now: number): void {
    this.#reserved -= 1;
    this.#sent.push(now);
  }

  /** A question that has a place will not be sent. */
  release(): void {
    this.#reserved -= 1;
  }

  #forget(now: number): void {
    const kept = this.#sent.findIndex((at) => at + WINDOW_MS > now);
    this.#sent.splice(0, kept < 0 ? this.#sent.length : kept);
  }
}
