import type { OnApplicationBootstrap } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { LeaseWatch } from '../store/lease-watch.js';
import { isHeld } from '../store/leases.js';
import type { Store } from '../store/store.js';
import { eventBody } from './event.js';
import { CatchUp } from './catch-up.js';
import { interpretAttempt, LONGEST_WAIT_MS } from './delivery-outcome.js';
import type { DeliveryTelemetry } from './delivery-telemetry.js';
import type { ClaimedEvent, DeliveryOutcome, EventsRepository } from './events.repository.js';
import { CoalescingTimer } from '../background/coalescing-timer.js';
import type { Sequencer } from './sequencer.js';
import { ATTEMPT_TIMEOUT_MS, WebhookSender } from './webhook-sender.js';

/** Longer than an attempt with its writes, so that no lease ends during one. */
const LEASE_MS = 2 * ATTEMPT_TIMEOUT_MS;
/** Outcomes within this time are recorded by one statement. */
const GATHER_MS = 25;
/** How soon to look again when other replicas have claimed what is due. */
const RETRY_MS = 1_000;
/** How often to look at the store, since other replicas write events too. */
const POLL_MS = 1_000;
/** How often to look for events that are planned too late because a clock was set since. */
const CLOCK_EVERY_MS = 60_000;
/** How often to look at what other replicas have claimed, and at how many of those. */
const WATCH_EVERY_MS = 1_000;
const MAX_WATCHED = 1_000;

/** How many attempts may be under way at once. */
export interface DeliveryLanes {
  /** Of attempts that began recently. */
  prompt: number;
  /** Of all attempts. Slow ones do not hold up the others, up to this number. */
  total: number;
  /** After how many milliseconds an attempt counts as slow. */
  slowAfterMs: number;
}

const LANES: DeliveryLanes = { prompt: 32, total: 96, slowAfterMs: 1_000 };

export interface DeliveryWorkerParts {
  store: Store;
  repository: EventsRepository;
  sequencer: Sequencer;
  telemetry: DeliveryTelemetry;
  config: Pick<Config, 'http' | 'merchant' | 'gateway'>;
  lanes?: DeliveryLanes;
  /** How long a claimed event is this process's own; by default longer than any attempt. */
  leaseMs?: number;
  /** What posts the events; by default an HTTP client for the configured address. */
  sender?: Pick<WebhookSender, 'origin' | 'send' | 'interrupt' | 'close'>;
}

/**
 * Delivers events to the merchant's server: in order within a payment or a session, many payments at once. All its
 * state is in the store. An attempt that was claimed and not recorded, because the process died, is made again.
 */
export class DeliveryWorker implements OnApplicationBootstrap {
  private readonly timer = new CoalescingTimer(() => this.run());
  private readonly sender: DeliveryWorkerParts['sender'];
  private readonly lanes: DeliveryLanes;
  /** When the attempts that are under way began, by `performance.now()`. */
  private readonly underWay = new Map<Promise<void>, number>();
  private outcomes: DeliveryOutcome[] = [];
  private released = false;
  /** By `performance.now()`. */
  private clockAt = -Infinity;
  private watchedAt = -Infinity;
  private readonly watch = new LeaseWatch();
  private readonly catchUp: CatchUp;
  private readonly leaseMs: number;
  /** The ids of the events that were claimed here and whose outcome is not recorded yet. */
  private readonly inHand = new Set<string>();
  private stopping = false;

  constructor(private readonly parts: DeliveryWorkerParts) {
    const { webhookUrl, webhookSecrets } = parts.config.merchant;
    this.lanes = parts.lanes ?? LANES;
    this.leaseMs = parts.leaseMs ?? LEASE_MS;
    this.catchUp = new CatchUp(parts.repository);
    if (webhookUrl !== undefined) {
      this.sender =
        parts.sender ??
        new WebhookSender({
          url: webhookUrl,
          secrets: webhookSecrets,
          proxy: parts.config.gateway.egressProxy,
          connections: this.lanes.total,
        });
    }
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  /** Whether there is an address to deliver to. */
  get enabled(): boolean {
    return this.sender !== undefined;
  }

  /** Starts delivering as soon as the store can be used. */
  start(): void {
    if (!this.sender) return;
    const { store, sequencer } = this.parts;
    sequencer.onPlaced(() => {
      this.wake();
    });
    void store.prepared.then(() => {
      this.wake();
    });
  }

  /** Looks for due events. To be called when some may have become due. */
  wake(): void {
    this.timer.wake(GATHER_MS);
  }

  /**
   * Claims no more events, waits at most `graceMs` for the attempts under way, interrupts the rest, records all
   * outcomes and gives the events back. The rest of a shutdown's time is for the requests that are still being answered.
   */
  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  async stop(
    graceMs = Math.min(ATTEMPT_TIMEOUT_MS, this.parts.config.http.shutdownGraceMs / 2),
  ): Promise<void> {
    if (this.stopping || !this.sender) return;
    this.stopping = true;
    await this.timer.stop();
    const { sender } = this;
    const timer = setTimeout(() => {
      sender.interrupt();
    }, graceMs);
    await Promise.all(this.underWay.keys());
    clearTimeout(timer);
    try {
      await this.recordOutcomes();
    } catch (error) {
      this.parts.telemetry.failed('delivering', error);
    }
    await sender.close();
  }

  private async run(): Promise<number | undefined> {
    const { telemetry } = this.parts;
    try {
      await this.releaseStale();
      await this.recordOutcomes();
      await this.followClock();
      await this.giveBackAbandoned();
      const again = this.stopping ? undefined : await this.takeDue();
      telemetry.worked('delivering');
      return again;
    } catch (error) {
      return telemetry.failed('delivering', error);
    }
  }

  /** The embedded store has one process at a time, so every event that was claimed before this start is free again. */
  private async releaseStale(): Promise<void> {
    const { repository, store } = this.parts;
    if (store.kind === 'embedded' && !this.released) await repository.releaseAll(store.clock.now());
    this.released = true;
  }

  private async followClock(): Promise<void> {
    if (performance.now() - this.clockAt < CLOCK_EVERY_MS) return;
    this.clockAt = performance.now();
    const now = this.parts.store.clock.now();
    await this.parts.repository.bringForward(now + LONGEST_WAIT_MS + CLOCK_EVERY_MS, now);
  }

  /**
   * Gives back what replicas had claimed that show no sign of life: an attempt ends, and is recorded, long before its
   * lease does. What is in hand here is never given back, whatever a clock says.
   */
  private async giveBackAbandoned(): Promise<void> {
    const { repository, store } = this.parts;
    if (store.kind === 'postgres' && performance.now() - this.watchedAt < WATCH_EVERY_MS) return;
    this.watchedAt = performance.now();
    const now = store.clock.now();
    const abandoned = (await repository.leased(MAX_WATCHED)).filter((lease) => {
      const { id, owner, until } = lease;
      const seen = { owner, until, fence: 0 };
      if (owner === store.owner) return !this.inHand.has(id) && !isHeld(seen, now);
      return !this.watch.mayBeLiving(id, seen, { now, lasts: this.leaseMs });
    });
    await repository.giveBack(abandoned, now);
  }

  private async recordOutcomes(): Promise<void> {
    const recorded = this.outcomes;
    if (recorded.length === 0) return;
    this.outcomes = [];
    try {
      await this.parts.repository.record(this.parts.store.owner, recorded);
    } catch (error) {
      this.outcomes.push(...recorded);
      throw error;
    }
    for (const { id } of recorded) this.inHand.delete(id);
    if (this.stopping) return;
    await this.catchUp.afterAttempts(recorded, this.parts.store.clock.now(), this.free());
  }

  /** Begins as many attempts as the limits allow. Returns after how many milliseconds to look again. */
  private async takeDue(): Promise<number | undefined> {
    const { repository, store } = this.parts;
    const free = this.free();
    if (free <= 0) return this.lanes.slowAfterMs;
    const now = store.clock.now();
    const { due, nextAt } = await repository.outlook(now);
    const next = nextAt === undefined ? undefined : Math.min(nextAt - now, CLOCK_EVERY_MS);
    const later = store.kind === 'postgres' ? Math.min(next ?? POLL_MS, POLL_MS) : next;
    if (!due) return later;

    const claimed = await repository.claim(store.owner, now, now + this.leaseMs, free);
    for (const event of claimed) this.begin(event);
    if (claimed.length === free) return this.lanes.slowAfterMs;
    // Whatever is still due waits for an event before it. Postponing it may uncover others that can go.
    const parked = await repository.park(now);
    if (parked > 0) return GATHER_MS;
    return claimed.length > 0 ? later : Math.min(later ?? RETRY_MS, RETRY_MS);
  }

  private free(): number {
    const slowSince = performance.now() - this.lanes.slowAfterMs;
    const prompt = [...this.underWay.values()].filter((began) => began > slowSince).length;
    return Math.min(this.lanes.prompt - prompt, this.lanes.total - this.underWay.size);
  }

  private begin(event: ClaimedEvent): void {
    this.inHand.add(event.id);
    const attempt = this.deliver(event).finally(() => {
      this.underWay.delete(attempt);
      this.wake();
    });
    this.underWay.set(attempt, performance.now());
  }

  private async deliver(event: ClaimedEvent): Promise<void> {
    const { sender } = this;
    if (!sender) return;
    const { store, telemetry } = this.parts;
    await telemetry.traced(event, async () => {
      const attempt = await sender.send({ id: event.id, body: eventBody(event) });
      const at = store.clock.now();
      const outcome = interpretAttempt(event, attempt, at);
      this.outcomes.push(outcome);
      const cause = attempt.kind === 'failed' ? attempt.cause : undefined;
      telemetry.attempted({ event, outcome, cause, origin: sender.origin });
      return attempt;
    });
  }
}
