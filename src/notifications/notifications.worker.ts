import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Inquiry } from '../payments/inquiry.js';
import { Store } from '../store/store.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER, TRACING } from '../telemetry/telemetry.module.js';
import type { Tracing } from '../telemetry/traces.js';
import { NotificationsRepository } from './notifications.repository.js';

/** Several notifications about one payment within this time are followed by one question. */
const DEBOUNCE_MS = 100;
/** What a crash or another replica left behind is looked for so often. */
const LOOK_EVERY_MS = 5_000;
const BATCH = 50;
const MAX_ASKING = 8;
/** The gateway is asked again with doubling pauses while it gives no clear answer. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
const GIVE_UP_AFTER_MS = 72 * 3_600_000;

interface Following {
  /** A reading of `performance.now()` before which it is not asked again. */
  notBefore: number;
  pause: number;
}

/** Follows notifications up: the gateway is asked about each payment that they name, until it has answered clearly. */
@Injectable()
export class NotificationsWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly following = new Map<string, Following>();
  private readonly soon = new Map<string, NodeJS.Timeout>();
  private readonly asking = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly store: Store,
    private readonly repository: NotificationsRepository,
    private readonly inquiry: Inquiry,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  onApplicationBootstrap(): void {
    void this.store.prepared.then(() => this.look());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    for (const timer of this.soon.values()) clearTimeout(timer);
    await Promise.all(this.asking.values());
  }

  /** Asks about a payment at once, or right after the question that is under way. */
  follow(paymentId: string): void {
    this.following.delete(paymentId);
    if (this.stopped || this.soon.has(paymentId)) return;
    const timer = setTimeout(() => {
      this.soon.delete(paymentId);
      if (this.asking.has(paymentId)) this.follow(paymentId);
      else this.start(paymentId, Date.now());
    }, DEBOUNCE_MS);
    this.soon.set(paymentId, timer);
  }

  private async look(): Promise<void> {
    if (this.stopped) return;
    try {
      for (const { paymentId, receivedAt } of await this.repository.open(BATCH)) {
        if (this.asking.size >= MAX_ASKING) break;
        const following = this.following.get(paymentId);
        if (!this.soon.has(paymentId) && performance.now() >= (following?.notBefore ?? 0)) {
          this.start(paymentId, receivedAt);
        }
      }
    } catch (error) {
      this.logger.warn({ event: 'notifications.look_failed', reason: (error as Error).name });
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.look(), LOOK_EVERY_MS);
  }

  private start(paymentId: string, receivedAt: number): void {
    if (this.stopped || this.asking.has(paymentId)) return;
    const asking = this.tracing
      .root('inquiry', { 'tillfront.payment.id': paymentId }, () => this.ask(paymentId, receivedAt))
      .finally(() => this.asking.delete(paymentId));
    this.asking.set(paymentId, asking);
  }

  private async ask(paymentId: string, receivedAt: number): Promise<void> {
    try {
      // What comes in while the gateway is being asked wants another question.
      const waiting = await this.repository.waitingOf(paymentId);
      const { reading } = await this.inquiry.ask(paymentId);
      if (reading === 'inconclusive' && Date.now() - receivedAt < GIVE_UP_AFTER_MS) {
        this.askLater(paymentId);
        return;
      }
      this.following.delete(paymentId);
      await this.repository.markApplied(waiting, Date.now());
    } catch (error) {
      this.askLater(paymentId);
      this.logger.warn({ event: 'notifications.inquiry_failed', paymentId, reason: (error as Error).name });
    }
  }

  private askLater(paymentId: string): void {
    const pause = Math.min(
      (this.following.get(paymentId)?.pause ?? FIRST_PAUSE_MS / 2) * 2,
      LONGEST_PAUSE_MS,
    );
    this.following.set(paymentId, { pause, notBefore: performance.now() + pause });
  }
}
