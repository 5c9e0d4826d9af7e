/**
 * The payments to ask about, first come, first served. A payment that is notified about again after its check goes to
 * the end, so that frequent notifications about one do not keep the others waiting. Never holds more than `capacity`.
 */
export class QuestionQueue {
  /** The earliest time to ask about each payment, in the order in which they came. */
  readonly #waiting = new Map<string, number>();

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.#waiting.size;
  }

  has(paymentId: string): boolean {
    return this.#waiting.has(paymentId);
  }

  /**
   * Adds a payment, unless it is in already or there is no room. `room` is how much of the capacity this caller may
   * fill. Returns whether the payment is in now.
   */
  add(paymentId: string, notBefore: number, room = this.capacity): boolean {
    if (this.#waiting.has(paymentId)) return true;
    if (this.#waiting.size >= Math.min(room, this.capacity)) return false;
    this.#waiting.set(paymentId, notBefore);
    return true;
  }

  /** Removes and returns the first payment that may be asked about now. */
  take(now: number, mayBeAsked: (paymentId: string) => boolean = () => true): string | undefined {
    for (const [paymentId, notBefore] of this.#waiting) {
      if (notBefore > now || !mayBeAsked(paymentId)) continue;
      this.#waiting.delete(paymentId);
      return paymentId;
    }
    return undefined;
  }

  /** When the next payment may be asked about; `Infinity` where none waits. */
  nextAt(mayBeAsked: (paymentId: string) => boolean = () => true): number {
    let next = Infinity;
    for (const [paymentId, notBefore] of this.#waiting) {
      if (notBefore < next && mayBeAsked(paymentId)) next = notBefore;
    }
    return next;
  }
}
