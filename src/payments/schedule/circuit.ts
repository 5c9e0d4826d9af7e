const SECOND = 1_000;
/** This many failures in a row, or questions that hang at the same time, open the circuit. */
const FAILURES = 5;
const HANGING = 4;
/** A question hangs when it has lasted this long. */
const HANGS_AFTER_MS = 5 * SECOND;
/** How long an open circuit waits before the next probe: at first, and at most, doubling with each probe. */
const FIRST_WAIT_MS = SECOND;
const LONGEST_WAIT_MS = 5 * SECOND;
/** The most questions of one operation at the same time, if all is well, and if it hangs or fails. */
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

  get state(): CircuitState {
    return this.#state;
  }

  get running(): number {
    return this.#running.size;
  }

  /** When the next question may begin: `now`, or when a probe may; `Infinity` where one must end first. */
  freeAt(now: number): number {
    if (this.#state === 'closed' && this.#hanging(now) >= HANGING) this.#open(now);
    if (this.#state === 'closed') return this.#running.size < this.#slots ? now : Infinity;
    if (this.#running.size >= SLOTS_WHILE_OPEN) return Infinity;
    return Math.max(now, this.#nextProbe);
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
  succeeded(): void {
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
}
