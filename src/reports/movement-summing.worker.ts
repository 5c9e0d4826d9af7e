import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '../background/periodic-task.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { NamedLease } from '../store/named-lease.js';
import { Store } from '../store/store.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { MovementSumsRepository } from './movement-sums.repository.js';

const LEASE = 'movement-sums';
const LEASE_MS = 60_000;
/** Movements that are written within this time are summed together. */
const GATHER_MS = 5_000;
/** How often to look for what other processes have written. */
const LOOK_EVERY_MS = 15_000;

/**
 * Keeps the sums of the ledger near to what is written, and makes them anew at the start where the time zone of the books is another one.
 * While the sums are not there, whoever asks adds up the entries. One process for all.
 */
@Injectable()
export class MovementSummingWorker extends PeriodicTask {
  private readonly lease: NamedLease;
  /** Whether the sums have been of this time zone since the start. */
  private begun = false;
  private told = false;

  constructor(
    private readonly store: Store,
    private readonly sums: MovementSumsRepository,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({ event: 'ledger.summing_failed', store, logger });
    this.lease = new NamedLease(store, LEASE, LEASE_MS);
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.store.writer.onCommitted(({ movements = [] }) => {
      if (movements.length > 0) this.wake(GATHER_MS);
    });
  }

  protected async run(): Promise<number> {
    if ((await this.lease.take()) === undefined) return LOOK_EVERY_MS;
    try {
      if (await this.begin()) while (!this.stopped && (await this.sums.step())) await nextTurn();
    } finally {
      await this.lease.release();
    }
    return LOOK_EVERY_MS;
  }

  /** Whether the sums are of this time zone. */
  private async begin(): Promise<boolean> {
    const kept = await this.sums.kept();
    this.begun ||= kept === 'ours';
    if (kept === 'ours') return true;
    if (this.begun && kept === 'others') {
      // A process of another time zone has started since. It would be made anew by each in turn.
      if (!this.told) this.logger.warn({ event: 'ledger.other_time_zone' });
      this.told = true;
      return false;
    }
    const started = performance.now();
    this.logger.info({ event: 'ledger.summing' });
    this.begun = await this.sums.rebuild(() => this.stopped);
    const durationMs = Math.round(performance.now() - started);
    if (this.begun) this.logger.info({ event: 'ledger.summed', ms: durationMs });
    return this.begun;
  }
}
