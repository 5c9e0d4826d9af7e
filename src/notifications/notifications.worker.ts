import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Inquiry } from '../payments/inquiry/inquiry.js';
import { Store } from '../store/store.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER, TRACING } from '../telemetry/telemetry.module.js';
import type { Tracing } from '../telemetry/traces.js';
import { ANONYMOUS_QUESTIONS_PER_SECOND } from './inbox-limits.js';
import { NotificationsRepository } from './notifications.repository.js';
import { QuestionQueue } from './question-queue.js';
import { SlidingWindow } from './sliding-window.js';

/** Notifications about one payment within this time cause one status check, */
const GATHER_MS = 100;
/** and those within this time after a check cause one more. */
const BETWEEN_QUESTIONS_MS = 1_000;
/**
 * How often the store is searched for what a crash, another replica or a full queue left, at least and while there is
 * more of it.
 */
const LOOK_EVERY_MS = 5_000;
const LOOK_ON_AFTER_MS = 250;
const BATCH = 200;
/** The size of the queue. New notifications fill at most half of it, so that older ones get their turn. */
const MAX_QUEUED = 1_000;
const MAX_ASKING = 32;
/** The gateway is asked again with doubling pauses while it gives no clear answer. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
const GIVE_UP_AFTER_MS = 72 * 3_600_000;
/** How many payments' pauses are remembered. A forgotten one is asked about sooner. */
const MAX_PAUSES = 10_000;

interface Pause {
  /** The reading of `performance.now()` before which it is not asked about again. */
  notBefore: number;
  length: number;
}

/**
 * Follows notifications up: asks the gateway about each payment that they name until it answers clearly. The store
 * knows which payments wait; the queue only orders them. Payments take turns, however often one is notified about.
 */
@Injectable()
export class NotificationsWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly queue = new QuestionQueue(MAX_QUEUED);
  private readonly asking = new Map<string, Promise<void>>();
  /** When payments were last asked about, the oldest first; only those of the last second. */
  private readonly askedAt = new Map<string, number>();
  private readonly pauses = new Map<string, Pause>();
  /** Payments with new notifications in this process since they were asked about. */
  private readonly fresh = new Set<string>();
  /** Undefined where only the gateway itself can notify. */
  private readonly rate: SlidingWindow | undefined;
  private lookTimer: NodeJS.Timeout | undefined;
  private pumpTimer: NodeJS.Timeout | undefined;
  private pumpAt = Infinity;
  /** Where the last search of the store ended. */
  private cursor = '';
  private stopped = false;

  constructor(
    private readonly store: Store,
    private readonly repository: NotificationsRepository,
    private readonly inquiry: Inquiry,
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {
    if (config.notificationSecret === undefined) {
      this.rate = new SlidingWindow(ANONYMOUS_QUESTIONS_PER_SECOND, 1_000);
    }
  }

  onApplicationBootstrap(): void {
    void this.store.prepared.then(() => this.look());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.lookTimer);
    clearTimeout(this.pumpTimer);
    await Promise.all(this.asking.values());
  }

  /**
   * Asks about a payment at once, or a second after the last check. If the queue is full, the next search of the store
   * finds it.
   */
  follow(paymentId: string): void {
    if (this.stopped) return;
    this.pauses.delete(paymentId);
    if (!this.queue.add(paymentId, this.notBefore(paymentId, GATHER_MS), MAX_QUEUED / 2)) return;
    this.fresh.add(paymentId);
    this.schedule();
  }

  private notBefore(paymentId: string, milliseconds = 0): number {
    const asked = this.askedAt.get(paymentId) ?? -Infinity;
    return Math.max(performance.now() + milliseconds, asked + BETWEEN_QUESTIONS_MS);
  }

  /** Continues where the last search stopped, so that no waiting payment is skipped, and starts over at the end. */
  private async look(): Promise<void> {
    if (this.stopped) return;
    let more = false;
    try {
      const room = Math.min(BATCH, MAX_QUEUED - this.queue.size);
      if (room > 0) {
        const found = await this.repository.waitingPayments(this.cursor, room);
        for (const paymentId of found) this.leave(paymentId);
        this.cursor = found.length < room ? '' : (found.at(-1) ?? '');
      }
      more = this.cursor !== '';
      this.schedule();
    } catch (error) {
      this.logger.warn({ event: 'notifications.look_failed', reason: (error as Error).name });
    }
    if (this.stopped) return;
    this.lookTimer = setTimeout(() => void this.look(), more ? LOOK_ON_AFTER_MS : LOOK_EVERY_MS);
  }

  /** Queues a payment that waits in the store, unless it must not be asked about yet. */
  private leave(paymentId: string): void {
    const pause = this.pauses.get(paymentId);
    if (this.asking.has(paymentId) || (pause && pause.notBefore > performance.now())) return;
    this.queue.add(paymentId, this.notBefore(paymentId));
  }

  private schedule(): void {
    if (this.stopped || this.asking.size >= MAX_ASKING) return;
    const now = performance.now();
    const next = this.queue.nextAt((paymentId) => !this.asking.has(paymentId));
    const at = Math.max(next, this.rate?.freeAt(now) ?? now);
    if (at >= this.pumpAt) return;
    this.pumpAt = at;
    clearTimeout(this.pumpTimer);
    this.pumpTimer = setTimeout(
      () => {
        this.pump();
      },
      Math.max(0, Math.ceil(at - now)),
    );
  }

  private pump(): void {
    this.pumpAt = Infinity;
    const now = performance.now();
    while (!this.stopped && this.asking.size < MAX_ASKING && (this.rate?.freeAt(now) ?? now) <= now) {
      const paymentId = this.queue.take(now, (id) => !this.asking.has(id));
      if (paymentId === undefined) break;
      this.rate?.take(now);
      this.start(paymentId, now);
    }
    this.schedule();
  }

  private start(paymentId: string, now: number): void {
    this.remember(paymentId, now);
    const asking = this.tracing
      .root('inquiry', { 'tillfront.payment.id': paymentId }, () => this.ask(paymentId))
      .finally(() => {
        this.asking.delete(paymentId);
        this.schedule();
      });
    this.asking.set(paymentId, asking);
  }

  private remember(paymentId: string, now: number): void {
    for (const [id, at] of this.askedAt) {
      if (now - at < BETWEEN_QUESTIONS_MS) break;
      this.askedAt.delete(id);
    }
    this.askedAt.delete(paymentId);
    this.askedAt.set(paymentId, now);
  }

  private async ask(paymentId: string): Promise<void> {
    const fresh = this.fresh.delete(paymentId);
    try {
      // A notification that arrives during a check asks for another one.
      const waiting = await this.repository.waitingOf(paymentId);
      // Another replica was faster.
      if (waiting.length === 0 && !fresh) return;
      const { reading } = await this.inquiry.ask(paymentId);
      const since = Math.min(...waiting.map(({ receivedAt }) => receivedAt));
      if (reading === 'inconclusive' && this.store.clock.now() - since < GIVE_UP_AFTER_MS) {
        this.askLater(paymentId);
        return;
      }
      this.pauses.delete(paymentId);
      await this.repository.markApplied(paymentId, waiting, this.store.clock.now());
    } catch (error) {
      this.askLater(paymentId);
      this.logger.warn({ event: 'notifications.inquiry_failed', paymentId, reason: (error as Error).name });
    }
  }

  private askLater(paymentId: string): void {
    const length = Math.min((this.pauses.get(paymentId)?.length ?? FIRST_PAUSE_MS / 2) * 2, LONGEST_PAUSE_MS);
    this.pauses.delete(paymentId);
    this.pauses.set(paymentId, { length, notBefore: performance.now() + length });
    const [oldest] = this.pauses.keys();
    if (this.pauses.size > MAX_PAUSES && oldest !== undefined) this.pauses.delete(oldest);
  }
}
