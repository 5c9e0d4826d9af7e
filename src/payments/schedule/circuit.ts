const SECOND = 1_000;
/** This many failures in a row, or questions that hang while nothing else is answered, open the circuit. */
const FAILURES = 5;
const HANGING = 4;
/** A question hangs when it has lasted this long. It leaves its slot to the next one then. */
const HANGS_AFTER_MS = 5 * SECOND;
/** How long an open circuit waits before the next probe: at first, and at most, doubling with each probe. */
const FIRST_WAIT_MS = SECOND;
const LONGEST_WAIT_MS = 5 * SECOND;
/**
 * The most questions of one operation at the same time, those that hang among them, and how many of them may not hang yet while it
 * hangs or fails.
 */
const SLOTS = 72;
const SLOTS_WHILE_OPEN = 4;

export type CircuitState = 'closed' | 'open';

/**
 * The circuit breaker of one gateway operation. It closes an operation that fails or hangs to all but a probe every few
 * seconds, and opens it again by and by: after the first success one question at a time, and one more with each further
 * success. Pure but for its own state: the time is given.
 */
export class Circuit {
  readonly #running = new Map<string, number>();
  #failures = 0;
  #slots = SLOTS;
  #state: CircuitState = 'closed';
  #wait = FIRST_WAIT_MS;
  #nextProbe = 0;
  #answeredAt = -Infinity;

  get state(): CircuitState {
    return this.#state;
  }

  /** Whether fewer questions may begin than if all were well. */
  get isScarce(): boolean {
    return this.#state === 'open' || this.#slots < SLOTS;
  }

  /** When the next question may begin: `now`, or when a probe or a slot is next; `Infinity` where one must end first. */
  freeAt(now: number): number {
    const hanging = this.#hanging(now);
    const unanswered = now - this.#answeredAt >= HANGS_AFTER_MS;
    if (this.#state === 'closed' && hanging >= HANGING && unanswered) this.#open(now);
    if (this.#running.size >= SLOTS) return Infinity;
    const isOpen = this.#state === 'open';
    const probe = isOpen ? this.#nextProbe : now;
    const taken = this.#running.size - hanging;
    const slot = taken < (isOpen ? SLOTS_WHILE_OPEN : this.#slots) ? now : this.#nextToHang(now);
    return Math.max(now, probe, slot);
  }

  begin(id: string, now: number): void {
    this.#running.set(id, now);
    if (this.#state === 'closed') return;
    this.#nextProbe = now + this.#wait;
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  end(id: string): void {
    this.#running.delete(id);
  }

  /** An answer came, to whatever question of this operation. */
  succeeded(now: number): void {
    this.#answeredAt = now;
    this.#failures = 0;
    this.#slots = this.#state === 'open' ? 1 : Math.min(SLOTS, this.#slots + 1);
    this.#state = 'closed';
    this.#wait = FIRST_WAIT_MS;
  }

  /** No answer came. */
  failed(now: number): void {
    this.#failures += 1;
    if (this.#state === 'closed' && this.#failures >= FAILURES) this.#open(now);
  }

  #open(now: number): void {
    this.#state = 'open';
    this.#wait = FIRST_WAIT_MS;
    this.#nextProbe = now + this.#wait;
  }

  #hanging(now: number): number {
    let hanging = 0;
    for (const since of this.#running.values()) if (now - since >= HANGS_AFTER_MS) hanging += 1;
    return hanging;
  }

  /** When the first of those that do not hang yet does. */
  #nextToHang(now: number): number {
    const since = [...this.#running.values()].filter((began) => now - began < HANGS_AFTER_MS);
    return Math.min(...since) + HANGS_AFTER_MS;
  }
}
