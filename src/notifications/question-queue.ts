/**
 * Payments to be asked about, first come, first served: one that is asked about and then notified of again stands at the end,
 * so that nobody who is notified of without pause keeps the others from their turn. It never holds more than `capacity`.
 */
export class QuestionQueue {
  /** The moment before which a payment is not asked about, in the order in which they came. */
  readonly #waiting = new Map<string, number>();

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.#waiting.size;
  }

  has(paymentId: string): boolean {
    return this.#waiting.has(paymentId);
  }

  /**
   * Takes a payment in, unless it is in already or there is no room. `room` is how much of the capacity this caller may fill.
   * Says whether the payment is in now.
   */
  add(paymentId: string, notBefore: number, room = this.capacity): boolean {
    if (this.#waiting.has(paymentId)) return true;
    if (this.#waiting.size >= Math.min(room, this.capacity)) return false;
    this.#waiting.set(paymentId, notBefore);
    return true;
  }

  /** Takes the first one out that may be asked about now. */
  take(now: number, mayBeAsked: (paymentId: string) => boolean = () => true): string | undefined {
    for (const [paymentId, notBefore] of this.#waiting) {
      if (notBefore > now || !mayBeAsked(paymentId)) continue;
      this.#waiting.delete(paymentId);
      return paymentId;
    }
    return undefined;
  }

  /** When the next one may be asked about; `Infinity` where nobody waits. */
  nextAt(mayBeAsked: (paymentId: string) => boolean = () => true): number {
    let next = Infinity;
    for (const [paymentId, notBefore] of this.#waiting) {
      if (notBefore < next && mayBeAsked(paymentId)) next = notBefore;
    }
    return next;
  }
}
