import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '../../background/periodic-task.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { Store } from '../../store/store.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';

const LOOK_EVERY_MS = 1_000;
const BATCH = 100;

/** Ends sessions whose time is over. It decides nothing itself. */
@Injectable()
export class SessionExpiryWorker extends PeriodicTask {
  constructor(
    private readonly store: Store,
    private readonly sessions: SessionsRepository,
    private readonly service: SessionsService,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ event: 'sessions.expiry_failed', store, logger });
  }

  /** Returns how long to wait: not at all while there are whole batches to end. */
  protected async run(): Promise<number> {
    const overdue = await this.sessions.overdue(this.store.clock.now(), BATCH);
    await Promise.all(overdue.map((session) => this.service.expire(session)));
    return overdue.length < BATCH ? LOOK_EVERY_MS : 0;
  }
}
