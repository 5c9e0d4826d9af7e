import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { NamedLease } from '../../store/named-lease.js';
import { Store } from '../../store/store.js';

const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 4_000;
const LOOK_EVERY_MS = 50;

/**
 * Matching is done by one process at a time, a batch of payments at a time: two that read before either wrote would undo each other's
 * work.
 */
@Injectable()
export class MatchingTurn {
  private readonly lease: NamedLease;
  private takenAt = -Infinity;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  constructor(private readonly store: Store) {
    this.lease = new NamedLease(store, 'settlement-matching', LEASE_MS);
  }

  /** Does one batch when it is its turn. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    const done = this.last.then(async () => {
      try {
        await this.take();
        return await work();
      } finally {
        this.waiting -= 1;
        if (this.waiting === 0) await this.release();
      }
    });
    this.last = done.catch(() => undefined);
    return done;
  }

  private async take(): Promise<void> {
    while (performance.now() - this.takenAt > RENEW_EVERY_MS) {
      const at = performance.now();
      if ((await this.lease.take()) !== undefined) this.takenAt = at;
      else await sleep(LOOK_EVERY_MS);
    }
  }

  /** Nobody here waits: other processes need not either. */
  private async release(): Promise<void> {
    this.takenAt = -Infinity;
    await this.lease.release();
  }
}
