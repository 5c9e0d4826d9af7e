import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import type { NotificationRecord } from '../store/schema.js';
import { Backoff } from '../background/backoff.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { contentLimits, MAX_UNMATCHED, type ContentLimits } from './inbox-limits.js';
import { NotificationsRepository } from './notifications.repository.js';

/** The most notifications that share one commit, by number and by size. */
const MAX_BATCH = 64;
const MAX_BATCH_LENGTH = 4 * 1024 * 1024;
/**
 * After this many notifications without a payment of ours the oldest are removed, and enough are removed to leave room
 * for those that come meanwhile.
 */
const TRIM_EVERY = 100;
const KEPT_UNMATCHED = MAX_UNMATCHED * 0.9;

/**
 * The pause after each commit, so that payers can use the store: as long as the commit took, and at least this long. In
 * a flood more notifications share the next commit.
 */
const SHORTEST_PAUSE_MS = 5;
/** How long after a commit the limits are enforced. Not after every commit, since that takes commits too. */
const TIDY_AFTER_MS = 500;

interface Waiting {
  notification: NotificationRecord;
  stored: PromiseWithResolvers<void>;
}

/**
 * Stores notifications. Those that arrive during a commit share the next one, so that a flood costs few commits. Each
 * is answered after its own commit. The limits are enforced soon after. If a crash prevents that, the next notification
 * about the payment does it.
 */
@Injectable()
export class InboxWriter {
  private waiting: Waiting[] = [];
  private writing = false;
  private readonly limits: ContentLimits;
  /** Payments that may be over their limits. */
  private untidy = new Set<string>();
  /** At the start it is not known how many there are. */
  private unmatchedSinceTrim = TRIM_EVERY;
  private tidyTimer: NodeJS.Timeout | undefined;
  private tidying: Promise<void> | undefined;
  private stopped = false;
  private readonly backoff: Backoff;

  constructor(
    private readonly repository: NotificationsRepository,
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.backoff = new Backoff(logger, { event: 'notifications.tidying_failed' });
    this.limits = contentLimits(config.notificationSecrets !== undefined);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.tidyTimer);
    await this.tidying;
  }

  /** Resolves when the notification is stored. Throws where the store cannot be reached. */
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
    this.tidyTimer = setTimeout(
      () => {
        this.tidying = this.tidy().finally(() => {
          this.tidyTimer = undefined;
          if (this.untidy.size > 0 || this.unmatchedSinceTrim >= TRIM_EVERY) this.tidySoon();
        });
      },
      Math.max(TIDY_AFTER_MS, this.backoff.rest),
    );
  }

  private async tidy(): Promise<void> {
    const payments = [...this.untidy].slice(0, MAX_BATCH);
    for (const paymentId of payments) this.untidy.delete(paymentId);
    try {
      await this.repository.prune(payments, this.limits.perPayment);
      if (this.unmatchedSinceTrim >= TRIM_EVERY) {
        this.unmatchedSinceTrim = 0;
        await this.repository.trimUnmatched(KEPT_UNMATCHED);
      }
      this.backoff.worked();
    } catch (error) {
      this.backoff.failed(error);
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

/** Combines equal contents into one row that counts its repeats, since no statement can write a row twice. */
export function merged(notifications: readonly NotificationRecord[]): NotificationRecord[] {
  const byDigest = new Map<string, NotificationRecord>();
  for (const notification of notifications) {
    const former = byDigest.get(notification.digest);
    const repeats = former ? former.repeats + 1 : notification.repeats;
    byDigest.set(notification.digest, { ...notification, repeats });
  }
  return [...byDigest.values()];
}
