import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from '../telemetry/logger.js';
import { Backoff } from './backoff.js';
import { CoalescingTimer } from './coalescing-timer.js';

export interface PeriodicWork {
  /** What the log calls a failure. */
  readonly event: string;
  /** The store it works on; nothing runs before it can be used. */
  readonly store: { readonly prepared: Promise<void> };
  readonly logger: Logger;
  /** When it runs for the first time, in milliseconds after that; at once by default. */
  readonly firstAfterMs?: number;
}

/**
 * Work that is done again and again, one run at a time, from when the store is ready until the process stops. A run that fails
 * is logged and tried again, later after each failure in a row. The shutdown waits for the run that is under way.
 */
export abstract class PeriodicTask implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected stopped = false;
  readonly #work: PeriodicWork;
  readonly #timer = new CoalescingTimer(() => this.#attempt());
  readonly #backoff: Backoff;

  constructor(work: PeriodicWork) {
    this.#work = work;
    this.#backoff = new Backoff(work.logger, { event: work.event });
  }

  /** One run. Returns after how many milliseconds the next is due, or undefined to wait until it is woken. */
  protected abstract run(): Promise<number | undefined>;

  onApplicationBootstrap(): void {
    const { store, firstAfterMs = 0 } = this.#work;
    void store.prepared.then(() => {
      this.wake(firstAfterMs);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.#timer.stop();
  }

  /** Makes it run within `milliseconds`, or sooner if it is due sooner. */
  protected wake(milliseconds: number): void {
    this.#timer.wake(milliseconds);
  }

  async #attempt(): Promise<number | undefined> {
    try {
      const again = await this.run();
      this.#backoff.worked();
      return again;
    } catch (error) {
      return this.#backoff.failed(error);
    }
  }
}
