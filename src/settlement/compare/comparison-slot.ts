import { setTimeout as sleep, setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import { NamedLease } from '../../store/named-lease.js';
import { Store } from '../../store/store.js';

const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 4_000;
const LONGEST_WAIT_MS = 30_000;
const LOOK_EVERY_MS = 100;
/** How soon a caller may try again whose turn did not come. */
const RETRY_AFTER_SECONDS = 10;

/**
 * One comparison at a time, of all processes: each needs memory and much of the store.
 */
@Injectable()
export class ComparisonSlot {
  private readonly lease: NamedLease;
  private busy = false;

  constructor(private readonly store: Store) {
    this.lease = new NamedLease(store, 'settlement', LEASE_MS);
  }

  /**
   * Does a piece of work when it is its turn. The work says again and again that it goes on, and `alive` is called now and then
   * when it does. Throws `overloaded` where its turn does not come within `patienceMs`, and `operation-in-progress` where it was taken for dead.
   */
  async use<T>(
    alive: () => Promise<void>,
    work: (goesOn: () => Promise<void>) => Promise<T>,
    patienceMs = LONGEST_WAIT_MS,
  ): Promise<T> {
    await this.store.prepared;
    await this.wait(patienceMs);
    try {
      let renewedAt = performance.now();
      return await work(async () => {
        if (performance.now() - renewedAt < RENEW_EVERY_MS) return;
        renewedAt = performance.now();
        if ((await this.lease.take()) === undefined) throw taken();
        await alive();
      });
    } finally {
      this.busy = false;
      await this.lease.release();
    }
  }

  private async wait(patienceMs: number): Promise<void> {
    for (const deadline = performance.now() + patienceMs; ;) {
      if (!this.busy) {
        this.busy = true;
        const fence = await this.lease.take().catch((error: unknown) => {
          this.busy = false;
          throw error;
        });
        if (fence !== undefined) return;
        this.busy = false;
      }
      if (performance.now() > deadline) throw busy();
      await sleep(LOOK_EVERY_MS);
    }
  }
}

function busy(): Problem {
  return new Problem('overloaded', 'Another file is being compared. Send this one again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function taken(): Problem {
  return new Problem('operation-in-progress', 'Another file is being compared. Send this one again later.');
}

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
