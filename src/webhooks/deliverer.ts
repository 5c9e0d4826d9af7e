import type { Store } from '../store/store.js';
import type { EventsRepository, StoredEvent } from './events.repository.js';
import { outcomeOf } from './outcome.js';
import type { Attempt } from './sender.js';

/** How often the outbox is looked at without a cause. */
const TICK_MS = 1_000;
/** Attempts under way at the same time. */
const AT_ONCE = 32;
/** One replica delivers: the one with this lease. */
const LEASE = 'deliveries';
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

export interface DelivererOptions {
  /** Absent: there is no address, and events only stand in the list. */
  sender?: {
    send(event: { id: string; body: string }, at: number): Promise<Attempt>;
    close(): Promise<void>;
  };
  /** An attempt that was not accepted, for the log. */
  notAccepted(attempt: Attempt): void;
  failed(error: unknown): void;
  monotonic(): number;
}

/** Delivers events at least once and in order per payment. A slow receiver holds up nothing but its own turn. */
export class Deliverer {
  private readonly busy = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private leasedUntil = 0;
  private looking = false;
  private again = false;

  constructor(
    private readonly store: Store,
    private readonly events: EventsRepository,
    private readonly options: DelivererOptions,
  ) {}

  /** Whether there is an address to deliver to. */
  get enabled(): boolean {
    return this.options.sender !== undefined;
  }

  start(): void {
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
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.options.sender?.close();
    await Promise.allSettled(this.busy.values());
  }

  /** Begins as many deliveries as there is room for. */
  async round(): Promise<void> {
    if (!(await this.mayDeliver())) return;
    const room = AT_ONCE - this.busy.size;
    if (room <= 0) return;
    const due = await this.events.due(this.store.now(), AT_ONCE);
    for (const event of due.filter(({ stream }) => !this.busy.has(stream)).slice(0, room)) {
      const work = this.deliver(event)
        .catch((error: unknown) => this.options.failed(error))
        .finally(() => {
          this.busy.delete(event.stream);
          this.wake();
        });
      this.busy.set(event.stream, work);
    }
  }

  private async deliver(event: StoredEvent): Promise<void> {
    const attempt = await this.options.sender?.send(event, this.store.now());
    if (!attempt) return;
    const outcome = outcomeOf(event.attempts, attempt, this.store.now());
    if (outcome.status !== 'delivered') this.options.notAccepted(attempt);
    await this.events.finish(event.id, outcome);
  }

  private async mayDeliver(): Promise<boolean> {
    const now = this.options.monotonic();
    if (now < this.leasedUntil - LEASE_MS + RENEW_MS) return true;
    if (!(await this.store.lease(LEASE, LEASE_MS))) return false;
    this.leasedUntil = now + LEASE_MS;
    return true;
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
      this.options.failed(error);
    }
    this.looking = false;
    if (!this.stopped) this.plan(this.again ? 0 : TICK_MS);
  }
}
