import { QuestionWindow } from './question-window.js';

const SECOND = 1_000;
/** The longest time for which the gateway's `Retry-After` is obeyed. */
const LONGEST_PAUSE_MS = 3_600 * SECOND;
/** The pauses where the gateway names none: they double while it goes on refusing. */
const FIRST_PAUSE_MS = 5 * SECOND;
const LONGEST_OWN_PAUSE_MS = 300 * SECOND;
const SHORTEST_PAUSE_MS = SECOND;
/** After a pause the rate starts at one a second and doubles each second, for as many seconds as this. */
const RAMP_SECONDS = 10;

/**
 * How many questions that no payer waits for may be sent. At most `limit` in any second, and less while payers ask, but
 * never less than a quarter of it, so that payers cannot stop the schedule either. Payers' own questions are counted
 * and always pass. A gateway that answers 429 pauses everything else. Pure but for its own state: the time is given.
 */
export class QuestionRate {
  readonly #scheduled = new QuestionWindow();
  readonly #payers = new QuestionWindow();
  readonly #limit: number;
  #pausedUntil = -Infinity;
  /** How many pauses in a row the gateway gave no time for. */
  #pauses = 0;

  /** @param limit questions in any second; 0: no limit. */
  constructor(limit: number) {
    this.#limit = limit === 0 ? Infinity : limit;
  }

  /** Until when the gateway wants nothing but payers' questions. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** When the next question may be sent: `now`, or the next time at which that may have changed. */
  freeAt(now: number): number {
    if (now < this.#pausedUntil) return this.#pausedUntil;
    const ramp = this.#ramp(now);
    const allowed = Math.min(this.#left(now), ramp.most);
    if (allowed === Infinity || this.#scheduled.count(now) < allowed) return now;
    return Math.min(this.#scheduled.nextChange(), this.#payers.nextChange(), ramp.until);
  }

  /** Takes a place for a question; {@link sent} or {@link release} follows. */
  reserve(): void {
    this.#scheduled.reserve();
  }

  sent(now: number): void {
    this.#scheduled.sent(now);
    this.#scheduled.count(now);
  }

  release(): void {
    this.#scheduled.release();
  }

  /** Takes a place for a question that is sent at once. False where there is none now. */
  take(now: number): boolean {
    if (this.freeAt(now) > now) return false;
    this.reserve();
    this.sent(now);
    return true;
  }

  /** A payer's question is sent. */
  payerAsked(now: number): void {
    this.#payers.reserve();
    this.#payers.sent(now);
    this.#payers.count(now);
  }

  /**
   * The gateway answered 429. Answers to questions that were under way when the pause began only make it longer.
   *
   * @param retryAfterSeconds what it asked for; undefined where it named no time.
   */
  busy(now: number, retryAfterSeconds: number | undefined): void {
    if (retryAfterSeconds === undefined && now < this.#pausedUntil) return;
    const own = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(this.#pauses, 30), LONGEST_OWN_PAUSE_MS);
    const wanted = retryAfterSeconds === undefined ? own : retryAfterSeconds * SECOND;
    if (now >= this.#pausedUntil) this.#pauses += 1;
    const pause = Math.min(Math.max(wanted, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
  }

  /** The gateway answered something else. */
  answered(now: number): void {
    if (now >= this.#pausedUntil) this.#pauses = 0;
  }

  #left(now: number): number {
    if (this.#limit === Infinity) return Infinity;
    return Math.max(this.#limit - this.#payers.count(now), Math.ceil(this.#limit / 4));
  }

  #ramp(now: number): { most: number; until: number } {
    const seconds = Math.floor((now - this.#pausedUntil) / SECOND);
    if (seconds >= RAMP_SECONDS) return { most: Infinity, until: Infinity };
    return { most: 2 ** seconds, until: this.#pausedUntil + (seconds + 1) * SECOND };
  }
}
