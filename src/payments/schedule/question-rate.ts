const SECOND = 1_000;
/** The longest time for which the gateway's `Retry-After` is obeyed. */
const LONGEST_PAUSE_MS = 3_600 * SECOND;
/** The pauses where the gateway names none: they double while it goes on refusing. */
const FIRST_PAUSE_MS = 5 * SECOND;
const LONGEST_OWN_PAUSE_MS = 300 * SECOND;
const SHORTEST_PAUSE_MS = SECOND;
/** After a pause the rate starts at one a second and doubles each second, for as many seconds as this. */
const RAMP_SECONDS = 10;

/** Questions that somebody waits for have a bound of their own, so many times as high. */
const WAITED_FACTOR = 10;

/**
 * Whose bound a question counts towards: those that somebody waits for (a payer, or a shop that hears of an open payment by
 * notification or report), and those that nobody waits for.
 */
export type Waits = 'waited' | 'unwaited';

/** A place in the rate for one question. */
export interface QuestionPlace {
  /** The question is sent now. */
  sent(now: number): void;
  /** It will not be sent. Without effect where it was. */
  release(): void;
}

/**
 * How many questions may be sent: at most `limit` in any second that nobody waits for, and ten times as many that somebody
 * waits for. Neither takes from the other. A gateway that answers 429 pauses both. What remains of its rate goes to
 * payers who come back, one question a second, and to what only the gateway's word can answer. Pure but for its own state: the time is given.
 */
export class QuestionRate {
  readonly #windows: Readonly<Record<Waits, QuestionWindow>> = {
    waited: new QuestionWindow(),
    unwaited: new QuestionWindow(),
  };
  readonly #limit: number;
  #pausedUntil = -Infinity;
  /** How many pauses in a row the gateway gave no time for. */
  #pauses = 0;

  /** @param limit questions in any second that nobody waits for; 0: no limit, for either kind. */
  constructor(limit: number) {
    this.#limit = limit === 0 ? Infinity : limit;
  }

  /** Until when the gateway wants no questions. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** When the next question of the schedule may be sent: `now`, or the next time at which that may have changed. */
  freeAt(now: number, waits: Waits = 'unwaited'): number {
    if (now < this.#pausedUntil) return this.#pausedUntil;
    const ramp = this.#ramp(now);
    const allowed = Math.min(this.#limit, ramp.most) * (waits === 'waited' ? WAITED_FACTOR : 1);
    const window = this.#windows[waits];
    if (allowed === Infinity || window.count(now) < allowed) return now;
    return Math.min(window.nextChange(), ramp.until);
  }

  /** Takes a place for a question; {@link sent} or {@link release} follows. */
  reserve(waits: Waits = 'unwaited'): void {
    this.#windows[waits].reserve();
  }

  sent(now: number, waits: Waits = 'unwaited'): void {
    this.#windows[waits].sent(now);
    this.#windows[waits].count(now);
  }

  release(waits: Waits = 'unwaited'): void {
    this.#windows[waits].release();
  }

  /** Takes a place for a question that is sent at once. False where there is none now. */
  take(now: number, waits: Waits = 'unwaited'): boolean {
    if (this.freeAt(now, waits) > now) return false;
    this.reserve(waits);
    this.sent(now, waits);
    return true;
  }

  /**
   * A place for a question that a payer or a merchant's call waits for; undefined where there is none now.
   *
   * @param anyhow also while the gateway wants none: whoever asks wants the gateway's word and nothing else.
   */
  place(now: number, { anyhow = false } = {}): QuestionPlace | undefined {
    const window = this.#windows.waited;
    const most = now < this.#pausedUntil && !anyhow ? 1 : this.#limit * WAITED_FACTOR;
    if (window.count(now) >= most) return undefined;
    window.reserve();
    let taken = true;
    const leave = (how: () => void): void => {
      if (taken) how();
      taken = false;
    };
    return {
      sent: (at) => {
        leave(() => {
          this.sent(at, 'waited');
        });
      },
      release: () => {
        leave(() => {
          window.release();
        });
      },
    };
  }

  /** A question is sent that waited for no place: a merchant's operation needs its answer. */
  asked(now: number): void {
    this.reserve('waited');
    this.sent(now, 'waited');
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

  #ramp(now: number): { most: number; until: number } {
    const seconds = Math.floor((now - this.#pausedUntil) / SECOND);
    if (seconds >= RAMP_SECONDS) return { most: Infinity, until: Infinity };
    return { most: 2 ** seconds, until: this.#pausedUntil + (seconds + 1) * SECOND };
  }
}

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
class QuestionWindow {
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
