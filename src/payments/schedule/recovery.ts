import type { DueKind } from './question-schedule.js';
import { WORTH, type Worth } from './worth.js';

const MINUTE = 60_000;
/** An outcome that was unknown for less says nothing: its backoff is still short. */
const LONG_UNKNOWN_MS = MINUTE;
/** So often at most all are hurried: what the gateway goes on leaving open is asked about little more often than planned. */
const HURRIED_EVERY_MS = MINUTE;

/** What is asked about at once then: outcomes unknown, and open payments that a notification was about. */
export const HURRIED: readonly DueKind[] = [WORTH.unknown, 'awaited'];

/**
 * Notices that the gateway decides again what it left open. An outage in which it answers but decides nothing stretches the
 * backoff of every unknown outcome to minutes, so those that it could decide now would wait for minutes more. Pure but for
 * its own state.
 */
export class Recovery {
  #hurriedAt = -Infinity;

  /**
   * Whether an answer shows it. Then all of {@link HURRIED} are to be asked about at once, as the rate permits.
   *
   * @param openMs how long ago the payment began. `decided`: whether the answer is conclusive.
   */
  isShownBy(
    { worth, decided, openMs }: { worth: Worth; decided: boolean; openMs: number },
    now: number,
  ): boolean {
    if (worth !== WORTH.unknown || !decided || openMs < LONG_UNKNOWN_MS) return false;
    if (now - this.#hurriedAt < HURRIED_EVERY_MS) return false;
    this.#hurriedAt = now;
    return true;
  }
}
