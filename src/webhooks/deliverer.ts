import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { HeldLease } from '../store/held-lease.js';
import { Store } from '../store/store.js';
import { logFailure, logKind } from '../telemetry/failure-log.js';
import { LOGGER, type Logger } from '../telemetry/logger.js';
import { EventsRepository, type StoredEvent } from './events.repository.js';
import { outcomeOf } from './outcome.js';
import { senderOf, type WebhookSender } from './sender.js';

/** How often the outbox is looked at without a cause. */
const TICK_MS = 1_000;
/** Attempts under way at the same time. */
const AT_ONCE = 32;

/** Delivers events at least once and in order per payment. A slow receiver holds up nothing but its own turn. */
@Injectable()
export class Deliverer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Absent: there is no address, and events only stand in the list. */
  private readonly sender: WebhookSender | undefined;
  /** One replica delivers: the one with this lease. */
  private readonly lease: HeldLease;
  private readonly busy = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private looking = false;
  private again = false;

  constructor(
    private readonly store: Store,
    private readonly events: EventsRepository,
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sender = senderOf(config, AT_ONCE);
    this.lease = new HeldLease(store, 'deliveries');
  }

  /** Whether there is an address to deliver to. */
  get enabled(): boolean {
    return this.sender !== undefined;
  }

  onApplicationBootstrap(): void {
    if (!this.enabled) return;
    this.store.onCommitted(({ events }) => {
      if (events.length > 0) this.wake();
    });
    this.plan(0);
  }

  /** Looks at the outbox soon. */
  wake(): void {
    if (!this.stopped && this.enabled) this.plan(10);
  }

  /** Ends what is under way: it is sent again after the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.sender?.close();
    await Promise.allSettled(this.busy.values());
    if (this.enabled) await this.lease.giveBack();
  }

  /** Begins as many deliveries as there is room for. */
  async round(): Promise<void> {
    if (!(await this.lease.take())) return;
    const room = AT_ONCE - this.busy.size;
    if (room <= 0) return;
    const due = await this.events.due(this.store.now(), AT_ONCE);
    for (const event of due.filter(({ stream }) => !this.busy.has(stream)).slice(0, room)) {
      const work = this.deliver(event)
        .catch((error: unknown) => this.failed(error))
        .finally(() => {
          this.busy.delete(event.stream);
          this.wake();
        });
      this.busy.set(event.stream, work);
    }
  }

  private async deliver(event: StoredEvent): Promise<void> {
    const attempt = await this.sender?.send(event, this.store.now());
    if (!attempt) return;
    const outcome = outcomeOf(event.attempts, attempt, this.store.now());
    const { result, redirect } = attempt;
    if (outcome.status !== 'delivered')
      logKind(
        this.logger,
        { event: 'webhook.failed', outcome: result, ...(redirect && { origin: redirect }) },
        { object: event.id, attempts: outcome.attempts },
      );
    await this.events.finish(event.id, outcome);
  }

  private plan(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.tick(), ms);
  }

  /** One round at a time: two could send one event twice. */
  private async tick(): Promise<void> {
    if (this.looking) {
      this.again = true;
      return;
    }
    this.looking = true;
    this.again = false;
    try {
      await this.round();
    } catch (error) {
      this.failed(error);
    }
    this.looking = false;
    if (!this.stopped) this.plan(this.again ? 0 : TICK_MS);
  }
  private failed(error: unknown): void {
    logFailure(this.logger, { event: 'webhook.error' }, error);
  }
}
