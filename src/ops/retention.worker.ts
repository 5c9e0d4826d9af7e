import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '../background/periodic-task.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { ExpiredKeys } from '../idempotency/keyed-writer.js';
import { OldEvents } from '../merchant-webhooks/old-events.js';
import { NotificationsRepository } from '../notifications/notifications.repository.js';
import { DeclinesRepository } from '../payments/operations/card-testing.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { NamedLease } from '../store/named-lease.js';
import { Store } from '../store/store.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { Logger } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { LOGGER } from '../telemetry/telemetry.module.js';

/** One replica does this for all. What it cannot finish within its lease, it continues after taking the lease again. */
const LEASE = 'retention';
const LEASE_MS = 30_000;
const EVERY_MS = 60_000;
/** Small batches, because the embedded store serves nobody else meanwhile. */
const BATCH = 100;
/** A pause between two batches leaves room for payers. */
const BETWEEN_BATCHES_MS = 50;
const DAY_MS = 24 * 3_600_000;

/** A kind of record that is not kept for ever. */
interface Kept {
  what: string;
  /** 0: for ever. */
  days: number;
  /** Removes a batch of records older than `before`. Says whether there may be more. */
  remove: (before: number) => Promise<boolean>;
}

/**
 * Removes what has passed its retention time, in small batches: payer data of finished sessions, notifications, events, old
 * declines, expired idempotency keys.
 */
@Injectable()
export class RetentionWorker extends PeriodicTask {
  private readonly kept: readonly Kept[];
  private readonly lease: NamedLease;

  constructor(
    private readonly store: Store,
    private readonly sessions: SessionsRepository,
    private readonly sessionsService: SessionsService,
    private readonly notifications: NotificationsRepository,
    private readonly declines: DeclinesRepository,
    private readonly keys: ExpiredKeys,
    events: OldEvents,
    private readonly metrics: Metrics,
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({ event: 'retention.failed', store, logger });
    this.lease = new NamedLease(store, LEASE, LEASE_MS);
    const all: Kept[] = [
      {
        what: 'payers',
        days: config.payments.payerRetentionDays,
        remove: (before) => this.erasePayers(before),
      },
      {
        what: 'notifications',
        days: config.notificationRetentionDays,
        remove: (before) => this.removeNotifications(before),
      },
      {
        what: 'events',
        days: config.eventRetentionDays,
        remove: (before) => events.remove(before, BATCH),
      },
      // Declines expire by themselves, by the store's clock.
      { what: 'declines', days: 1, remove: async () => (await this.declines.forget(BATCH)) >= BATCH },
      // Each key bears its own end.
      { what: 'idempotency keys', days: 1, remove: () => this.forgetKeys() },
    ];
    this.kept = all.filter(({ days }) => days > 0);
  }

  /** Removes a batch of each kind. Says when to go on: soon where any kind may have more. */
  protected async run(): Promise<number> {
    const now = this.store.clock.now();
    if ((await this.lease.take()) === undefined) return EVERY_MS;
    let more = false;
    for (const { what, days, remove } of this.kept)
      more = (await this.attempt(what, remove, now - days * DAY_MS)) || more;
    if (more) return BETWEEN_BATCHES_MS;
    await this.lease.release();
    return EVERY_MS;
  }

  /** A failure with one kind must not keep the others from their turn. */
  private async attempt(what: string, remove: Kept['remove'], before: number): Promise<boolean> {
    try {
      return await remove(before);
    } catch (error) {
      logFailure(this.logger, { event: 'retention.failed', what }, error);
      return false;
    }
  }

  private async erasePayers(before: number): Promise<boolean> {
    const sessions = await this.sessions.unredacted(before, BATCH);
    await Promise.all(sessions.map((session) => this.sessionsService.redactKept(session)));
    return sessions.length === BATCH;
  }

  private async forgetKeys(): Promise<boolean> {
    return (await this.keys.forget(this.store.clock.now(), BATCH)) >= BATCH;
  }

  private async removeNotifications(before: number): Promise<boolean> {
    const removed = await this.notifications.removeOld(before, BATCH);
    this.metrics.notificationsRemoved.inc({ reason: 'retention' }, removed);
    return removed >= BATCH;
  }
}
