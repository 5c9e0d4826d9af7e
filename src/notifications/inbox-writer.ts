import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import type { NotificationRecord } from '../store/schema.js';
import type { Logger } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { contentLimits, MAX_UNMATCHED, type ContentLimits } from './inbox-limits.js';
import { NotificationsRepository } from './notifications.repository.js';

/** Notifications that share one commit at most, by number and by the size of what is kept of them. */
const MAX_BATCH = 64;
const MAX_BATCH_LENGTH = 4 * 1024 * 1024;
/** After so many that name nothing of ours the oldest are removed, so many below the cap that it always holds. */
const TRIM_EVERY = 100;

interface Waiting {
  notification: NotificationRecord;
  stored: PromiseWithResolvers<void>;
}

/**
 * Writes notifications down. Those that come while the store is at work share the next commit, so that a flood costs as many commits
 * as the store can make and not one a notification. Each is answered after its own commit. Then what is beyond the limits is removed:
 * what a crash leaves undone of that the next notification does.
 */
@Injectable()
export class InboxWriter {
  private waiting: Waiting[] = [];
  private writing = false;
  /** At the start nobody knows how many there are. */
  private unmatchedSinceTrim = TRIM_EVERY;
  private readonly limits: ContentLimits;

  constructor(
    private readonly repository: NotificationsRepository,
    private readonly metrics: Metrics,
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.limits = contentLimits(config.notificationSecret !== undefined);
  }

  /** Resolves when it is stored; throws where the store cannot be reached. */
  write(notification: NotificationRecord): Promise<void> {
    const stored = Promise.withResolvers<void>();
    this.waiting.push({ notification, stored });
    if (!this.writing) void this.writeAll();
    return stored.promise;
  }

  private async writeAll(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, sizeOfBatch(this.waiting));
      try {
        await this.repository.keep(merged(batch.map(({ notification }) => notification)));
        for (const { stored } of batch) stored.resolve();
      } catch (error) {
        for (const { stored } of batch) stored.reject(error);
        continue;
      }
      await this.tidy(batch.map(({ notification }) => notification));
    }
    this.writing = false;
  }

  private async tidy(written: readonly NotificationRecord[]): Promise<void> {
    try {
      const payments = new Set(written.flatMap(({ paymentId }) => paymentId ?? []));
      let removed = await this.repository.prune([...payments], this.limits.perPayment);
      this.unmatchedSinceTrim += written.filter(({ paymentId }) => paymentId === null).length;
      if (this.unmatchedSinceTrim >= TRIM_EVERY) {
        removed += await this.repository.trimUnmatched(MAX_UNMATCHED - TRIM_EVERY - MAX_BATCH);
        this.unmatchedSinceTrim = 0;
      }
      this.metrics.notificationsRemoved('newer', removed);
    } catch (error) {
      this.logger.warn({ event: 'notifications.tidying_failed', reason: (error as Error).name });
    }
  }
}

function sizeOfBatch(waiting: readonly Waiting[]): number {
  let length = 0;
  const last = waiting.findIndex(({ notification }, index) => {
    length += notification.body.length;
    return index >= MAX_BATCH || (index > 0 && length > MAX_BATCH_LENGTH);
  });
  return last < 0 ? waiting.length : last;
}

/** The same content more than once as one row that counts its repeats: no statement can write a row twice. */
export function merged(notifications: readonly NotificationRecord[]): NotificationRecord[] {
  const byDigest = new Map<string, NotificationRecord>();
  for (const notification of notifications) {
    const former = byDigest.get(notification.digest);
    const repeats = former ? former.repeats + 1 : notification.repeats;
    byDigest.set(notification.digest, { ...notification, repeats });
  }
  return [...byDigest.values()];
}
