import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** A file that is to be compared. */
export interface FileToCompare {
  readonly pieces: AsyncIterable<Buffer>;
  /** Called again and again while the work goes on. */
  readonly goesOn: () => Promise<void>;
}

/** A turn of the event loop that takes longer than this had other work to do. */
const BUSY_MS = 1;
/** The longest pause after a piece of work. */
const LONGEST_MS = 50;

/** Leaves the process to payers between the pieces of a long work: a turn of the event loop, and half of the time where others need it. */
export class Pace {
  #began = performance.now();

  /** @param alive is called at each pause: the work still goes on. */
  constructor(private readonly alive: () => Promise<void>) {}

  async pause(): Promise<void> {
    await this.alive();
    const worked = performance.now() - this.#began;
    const left = performance.now();
    await setImmediate();
    if (performance.now() - left > BUSY_MS) await sleep(Math.min(worked, LONGEST_MS));
    this.#began = performance.now();
  }
}
