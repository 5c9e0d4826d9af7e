import { WORTH } from './worth.js';

/**
 * Payers who never pay leave thousands of payments waiting, which are asked about as rarely as the rate demands. That is no
 * fault: if one of them pays after all, the gateway notifies, and that is asked about at once.
 */
const MAY_WAIT_MS = 1_800_000;
const MAY_WAIT: readonly number[] = [WORTH.waiting, WORTH.followUp];

/**
 * For how many milliseconds the check that is most behind is overdue; 0 where none is. Pure.
 *
 * @param due for each worth when its oldest check was due.
 */
export function mostOverdue(due: readonly { worth: number; oldest: number | null }[], now: number): number {
  const overdue = due.map(({ worth, oldest }) =>
    oldest === null ? 0 : now - Number(oldest) - (MAY_WAIT.includes(Number(worth)) ? MAY_WAIT_MS : 0),
  );
  return Math.max(0, ...overdue);
}
