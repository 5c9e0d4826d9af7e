import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '../background/periodic-task.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { ExpiredKeys } from '../idempotency/keyed-writer.js';
import { OldEvents } from '../merchant-webhooks/old-events.js';
import { DeclinesRepository } from '../payments/operations/card-testing.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { NamedLease } from '../store/named-lease.js';
import { Store } from '../store/store.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';

/** One replica does this for all. What it cannot finish within its lease, it continues after taking the lease again. */
const LEASE_MS = 30_000;
const EVERY_MS = 60_000;
/** Small batches, because the embedded store serves nobody else meanwhile. */
const BATCH = 100;
/** A pause between two batches leaves room for payers. */
const BETWEEN_BATCHES_MS = 50;
const DAY_MS = 24 * 3_600_000;

/** Removes what has passed its retention time: payer data of finished sessions, events, old declines, expired keys. */
@Injectable()
export class RetentionWorker extends PeriodicTask {
  private readonly lease: NamedLease;

  constructor(
    private readonly store: Store,
    private readonly sessions: SessionsRepository,
    private readonly sessionsService: SessionsService,
    private readonly declines: DeclinesRepository,
    private readonly keys: ExpiredKeys,
    private readonly events: OldEvents,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ event: 'retention.failed', store, logger });
    this.lease = new NamedLease(store, 'retention', LEASE_MS);
  }

  /** Removes a batch of each kind. Says when to go on: soon where any kind may have more. */
  protected async run(): Promise<number> {
    if ((await this.lease.take()) === undefined) return EVERY_MS;
    const now = this.store.clock.now();
    const { eventRetentionDays, payments } = this.config;
    const removed = [
      await this.declines.forget(BATCH),
      await this.keys.forget(now, BATCH),
      payments.payerRetentionDays > 0
        ? await this.erasePayers(now - payments.payerRetentionDays * DAY_MS)
        : 0,
    ];
    const hasOldEvents =
      eventRetentionDays > 0 && (await this.events.remove(now - eventRetentionDays * DAY_MS, BATCH));
    if (hasOldEvents || removed.some((count) => count >= BATCH)) return BETWEEN_BATCHES_MS;
    await this.lease.release();
    return EVERY_MS;
  }

  private async erasePayers(before: number): Promise<number> {
    const sessions = await this.sessions.unredacted(before, BATCH);
    await Promise.all(sessions.map((session) => this.sessionsService.redactKept(session)));
    return sessions.length;
  }
}
