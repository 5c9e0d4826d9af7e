import type { DeliveryOutcome, EventsRepository } from './events.repository.js';

/** Silence of the merchant's server for so long leaves events behind that wait much longer than it lasted. */
export const OUTAGE_MS = 15_000;
/** Each accepted event brings so many others forward, so that a server that has just come back is not asked for all at once. */
const GROWTH = 2;

/**
 * Brings waiting events forward when the merchant's server answers again: at its first success after a time in which it accepted
 * nothing, or after the start of this process. How many wait is counted then, and no more than that are brought forward, the next ones
 * first, so that one that is never accepted is not sent again and again. While attempts only fail, nothing more is brought forward.
 */
export class CatchUp {
  /** When the first failure since the last success was seen; nothing was seen of the time before the start. */
  #failingSince: number | undefined = -Infinity;
  /** How many events may still be brought forward. */
  #left = 0;

  constructor(
    private readonly events: Pick<EventsRepository, 'countLater' | 'bringForward'>,
    private readonly ticks: () => number = () => performance.now(),
  ) {}

  /**
   * To be told of attempts that have ended. `now` is the store's time, and `room` the number of attempts that could begin now.
   */
  async afterAttempts(outcomes: readonly DeliveryOutcome[], now: number, room: number): Promise<void> {
    const accepted = outcomes.filter(({ status }) => status === 'delivered').length;
    if (accepted === 0) {
      this.#failingSince ??= this.ticks();
      return;
    }
    const wasAway = this.#failingSince !== undefined && this.ticks() - this.#failingSince >= OUTAGE_MS;
    this.#failingSince = undefined;
    if (wasAway) this.#left = await this.events.countLater(now);
    const most = Math.min(GROWTH * accepted, room, this.#left);
    if (most <= 0) return;
    const brought = await this.events.bringForward(now, now, most);
    this.#left = brought === 0 ? 0 : this.#left - brought;
  }
}
