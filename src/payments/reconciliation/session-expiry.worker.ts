import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CoalescingTimer } from '../../merchant-webhooks/coalescing-timer.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { Store } from '../../store/store.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';

const LOOK_EVERY_MS = 1_000;
const BATCH = 100;

/** Ends sessions whose time is over. It decides nothing itself. */
@Injectable()
export class SessionExpiryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly timer = new CoalescingTimer(() => this.look());

  constructor(
    private readonly store: Store,
    private readonly sessions: SessionsRepository,
    private readonly service: SessionsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    void this.store.prepared.then(() => {
      this.timer.wake(0);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.timer.stop();
  }

  /** Returns how long to wait: not at all while there are whole batches to end. */
  private async look(): Promise<number> {
    try {
      const overdue = await this.sessions.overdue(this.store.clock.now(), BATCH);
      await Promise.all(overdue.map((session) => this.service.expire(session)));
      return overdue.length < BATCH ? LOOK_EVERY_MS : 0;
    } catch (error) {
      this.logger.warn({ event: 'sessions.expiry_failed', reason: (error as Error).name });
      return LOOK_EVERY_MS;
    }
  }
}
