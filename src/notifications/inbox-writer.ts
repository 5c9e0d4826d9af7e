import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
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
/** After so many that name nothing of ours the oldest are removed, and so many are left that those which come meanwhile have room. */
const TRIM_EVERY = 100;
const KEPT_UNMATCHED = MAX_UNMATCHED * 0.9;

/**
 * After each commit the store is left to the payers for as long as the commit took, and at least so long: of a flood's notifications more
 * share the next one.
 */
const SHORTEST_PAUSE_MS = 5;
/** What is beyond the limits is removed so soon: not after each commit, for that takes commits too. */
const TIDY_AFTER_MS = 500;

interface Waiting {
  notification: NotificationRecord;
  stored: PromiseWithResolvers<void>;
}

/**
 * Writes notifications down. Those that come while the store is at work share the next commit, so that a flood costs as many commits
 * as payers can spare and not one a notification. Each is answered after its own commit. Soon after that what is beyond the limits is
 * removed: what a crash leaves undone of that the payment's next notification does.
 */
@Injectable()
export class InboxWriter implements BeforeApplicationShutdown {
  private waiting: Waiting[] = [];
  private writing = false;
  private readonly limits: ContentLimits;
  /** Payments that may be over their limits. */
  private untidy = new Set<string>();
  /** At the start nobody knows how many there are. */
  private unmatchedSinceTrim = TRIM_EVERY;
  private tidyTimer: NodeJS.Timeout | undefined;
  private tidying: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly repository: NotificationsRepository,
    private readonly metrics: Metrics,
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.limits = contentLimits(config.notificationSecret !== undefined);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.tidyTimer);
    await this.tidying;
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
      const began = performance.now();
      await this.writeBatch(this.waiting.splice(0, sizeOfBatch(this.waiting)));
      await pause(Math.max(SHORTEST_PAUSE_MS, performance.now() - began));
    }
    this.writing = false;
  }

  private async writeBatch(batch: readonly Waiting[]): Promise<void> {
    const written = batch.map(({ notification }) => notification);
    try {
      await this.repository.keep(merged(written));
    } catch (error) {
      for (const { stored } of batch) stored.reject(error);
      return;
    }
    for (const { stored } of batch) stored.resolve();
    for (const { paymentId } of written) {
      if (paymentId === null) this.unmatchedSinceTrim++;
      else this.untidy.add(paymentId);
    }
    this.tidySoon();
  }

  private tidySoon(): void {
    if (this.stopped || this.tidyTimer !== undefined) return;
    this.tidyTimer = setTimeout(() => {
      this.tidying = this.tidy().finally(() => {
        this.tidyTimer = undefined;
        if (this.untidy.size > 0 || this.unmatchedSinceTrim >= TRIM_EVERY) this.tidySoon();
      });
    }, TIDY_AFTER_MS);
  }

  private async tidy(): Promise<void> {
    const payments = [...this.untidy].slice(0, MAX_BATCH);
    for (const paymentId of payments) this.untidy.delete(paymentId);
    try {
      let removed = await this.repository.prune(payments, this.limits.perPayment);
      if (this.unmatchedSinceTrim >= TRIM_EVERY) {
        this.unmatchedSinceTrim = 0;
        removed += await this.repository.trimUnmatched(KEPT_UNMATCHED);
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
