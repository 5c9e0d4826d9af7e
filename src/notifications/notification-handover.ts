import { Inject, Injectable } from '@nestjs/common';
import { NotifiedPayments } from '../payments/inquiry/notified-payments.js';
import type { NotificationClaim } from '../payments/schedule/notified.js';
import { Store } from '../store/store.js';
import { Backoff } from '../background/backoff.js';
import { PeriodicTask } from '../background/periodic-task.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { NotificationsRepository } from './notifications.repository.js';

/** Notifications about one payment within this time are one question. */
const TOGETHER_MS = 1_000;
/** How often the store is searched for what a crash left, and while there is more of it. */
const LOOK_EVERY_MS = 5_000;
const LOOK_ON_AFTER_MS = 250;
/** Younger ones are being handed over. */
const LEFT_AFTER_MS = 5_000;
const BATCH = 200;

/** What notifications claim, by the digests of their contents. */
type Claims = Map<string, NotificationClaim>;

/** Of those that a crash left: their claims are not read again, so that all that wait are followed, until the checks are spent. */
const LEFT: readonly [digest: string, claim: NotificationClaim] = ['', 'unreadable'];

/** Notifications about one payment that are handed over together. */
interface Gathered {
  claims: Claims;
  /** Undefined while they are being handed over. */
  timer: NodeJS.Timeout | undefined;
}

/**
 * Hands stored notifications over to the schedule, which has the gateway asked. No notification waits for another
 * payment's: each goes into its payment's row at once, or a second after the last one about the same payment. What a
 * crash left in between is found in the store.
 */
@Injectable()
export class NotificationHandover extends PeriodicTask {
  /** By payment: what came within a second of the last handover. */
  private readonly gathered = new Map<string, Gathered>();
  private readonly handing = new Set<Promise<void>>();
  /** Where the last search of the store ended. */
  private cursor = '';
  private readonly backoff: Backoff;

  constructor(
    private readonly store: Store,
    private readonly repository: NotificationsRepository,
    private readonly notified: NotifiedPayments,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ event: 'notifications.look_failed', store, logger });
    this.backoff = new Backoff(logger, { event: 'notifications.handover_failed' });
  }

  override async stop(): Promise<void> {
    this.stopped = true;
    // What is not handed over yet is in the store, and found at the next start.
    for (const { timer } of this.gathered.values()) clearTimeout(timer);
    await super.stop();
    await Promise.all(this.handing);
  }

  /** A notification about this payment has been stored, with a content of this digest. */
  take(paymentId: string, digest: string, claim: NotificationClaim): void {
    if (this.stopped) return;
    const gathered = this.gathered.get(paymentId);
    if (gathered) gathered.claims.set(digest, claim);
    else this.start(paymentId, new Map([[digest, claim]]));
  }

  private start(paymentId: string, claims: Claims): void {
    const gathered: Gathered = { claims: new Map(), timer: undefined };
    this.gathered.set(paymentId, gathered);
    const handing = this.handOver(paymentId, claims).finally(() => {
      this.handing.delete(handing);
      if (this.stopped) return;
      gathered.timer = setTimeout(() => {
        this.gathered.delete(paymentId);
        if (gathered.claims.size > 0) this.start(paymentId, gathered.claims);
      }, TOGETHER_MS);
    });
    this.handing.add(handing);
  }

  private async handOver(paymentId: string, claims: Claims): Promise<void> {
    try {
      // One that came meanwhile, here or to another process, waits for whoever knows what it claims.
      const waiting = (await this.repository.waitingOf(paymentId)).filter(
        ({ digest }) => claims.has(digest) || claims.has(LEFT[0]),
      );
      const repeated = waiting.length > 0 && waiting.every(({ handedOver }) => handedOver);
      await this.notified.note(paymentId, { claims: [...new Set(claims.values())], repeated });
      // Those that were repeated meanwhile still wait.
      await this.repository.markApplied(paymentId, waiting, this.store.clock.now());
      this.backoff.worked();
    } catch (error) {
      this.backoff.failed(error, { paymentId });
    }
  }

  /** Continues where the last search stopped, so that no waiting payment is skipped, and starts over at the end. */
  protected async run(): Promise<number> {
    const before = this.store.clock.now() - LEFT_AFTER_MS;
    const found = await this.repository.waitingPayments(this.cursor, before, BATCH);
    for (const paymentId of found) this.take(paymentId, ...LEFT);
    this.cursor = found.length < BATCH ? '' : (found.at(-1) ?? '');
    // While no notification can be handed over, no more of them are fetched.
    return Math.max(this.cursor === '' ? LOOK_EVERY_MS : LOOK_ON_AFTER_MS, this.backoff.rest);
  }
}
