import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { LONGEST_OPEN_PAUSE } from '../schedule/status-check-schedule.js';
import { Inquiry } from '../inquiry/inquiry.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { Store } from '../../store/store.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER, TRACING } from '../../telemetry/telemetry.module.js';
import { Metrics } from '../../telemetry/metrics.js';
import type { Tracing } from '../../telemetry/traces.js';
import { DuplicateVoider } from './duplicate-voider.js';

/** The schedule is read at least this often: on PostgreSQL other replicas write to it too. */
const LONGEST_SLEEP_MS = 1_000;
const SHORTEST_SLEEP_MS = 20;
/** Status checks at the same time. Requests of payers need the gateway more. */
const MAX_ASKING = 16;
const SESSIONS_EVERY_MS = 1_000;
const CLOCK_EVERY_MS = 60_000;
const BATCH = 100;

/**
 * Asks about every payment whose status check is due, and ends sessions that have expired. It decides nothing itself.
 */
@Injectable()
export class ReconciliationWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly asking = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;
  /** When each was last done, by `performance.now()`, since the wall clock may be set back. */
  private sessionsAt = -Infinity;
  private clockAt = -Infinity;
  private nextLook = Infinity;

  constructor(
    private readonly store: Store,
    private readonly payments: PaymentsRepository,
    private readonly sessions: SessionsRepository,
    private readonly sessionsService: SessionsService,
    private readonly inquiry: Inquiry,
    private readonly duplicates: DuplicateVoider,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {
    store.writer.onCommitted(({ payment }) => {
      // Payments that become due before the next look get a timer of their own.
      if (payment?.nextStatusCheckAt != null && payment.leaseOwner === null)
        this.wakeAt(payment.nextStatusCheckAt);
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.store.kind === 'postgres') {
      void this.store.prepared.then(() => {
        this.wakeAt(this.store.clock.now());
      });
      return;
    }
    // No other process can use an embedded store, so every lease in it was left behind by one that is gone.
    await this.payments.freeAllLeases(this.store.clock.now());
    this.wakeAt(this.store.clock.now());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
    await Promise.all(this.asking.values());
  }

  private wakeAt(at: number): void {
    if (this.stopped) return;
    const look = Math.min(
      Math.max(at, this.store.clock.now() + SHORTEST_SLEEP_MS),
      this.store.clock.now() + LONGEST_SLEEP_MS,
    );
    if (look >= this.nextLook) return;
    this.nextLook = look;
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.nextLook = Infinity;
        this.running ??= this.look().then((pause) => {
          this.running = undefined;
          this.wakeAt(this.store.clock.now() + pause);
        });
      },
      Math.max(0, look - this.store.clock.now()),
    );
  }

  /** Returns how long to sleep at most: 0 while there are whole batches of sessions to end. */
  private async look(): Promise<number> {
    try {
      const now = this.store.clock.now();
      const free = MAX_ASKING - this.asking.size;
      if (free > 0) {
        const due = await this.payments.dueForStatusCheck(now, free + this.asking.size);
        for (const { id, nextStatusCheckAt } of due) {
          if (this.asking.size >= MAX_ASKING) break;
          this.start(id, nextStatusCheckAt);
        }
      }
      const at = performance.now();
      if (at - this.clockAt >= CLOCK_EVERY_MS) await this.askLeftBehind(now);
      if (at - this.sessionsAt >= SESSIONS_EVERY_MS) await this.endSessions(now);
      return Number.isFinite(this.sessionsAt) ? LONGEST_SLEEP_MS : 0;
    } catch (error) {
      this.logger.warn({ event: 'reconciliation.look_failed', reason: (error as Error).name });
      return LONGEST_SLEEP_MS;
    }
  }

  private start(paymentId: string, dueAt: number): void {
    if (this.asking.has(paymentId)) return;
    const asking = this.tracing
      .root('inquiry', { 'tillfront.payment.id': paymentId }, () => this.ask(paymentId, dueAt))
      .finally(() => {
        this.asking.delete(paymentId);
        if (this.asking.size === MAX_ASKING - 1) this.wakeAt(this.store.clock.now());
      });
    this.asking.set(paymentId, asking);
  }

  private async ask(paymentId: string, dueAt: number): Promise<void> {
    try {
      const asked = await this.inquiry.tryAsk(paymentId, true);
      if (!asked) return;
      this.metrics.inquiry(asked.reading, Math.max(0, this.store.clock.now() - dueAt) / 1000);
      await this.duplicates.consider(asked.payment, asked.reading);
    } catch (error) {
      this.logger.warn({ event: 'reconciliation.inquiry_failed', paymentId, reason: (error as Error).name });
    }
  }

  /** Asks about payments that are planned far too late because the clock was set back. */
  private async askLeftBehind(now: number): Promise<void> {
    this.clockAt = performance.now();
    const free = MAX_ASKING - this.asking.size;
    if (free <= 0) return;
    const beyondAny = now + LONGEST_OPEN_PAUSE + CLOCK_EVERY_MS;
    for (const id of await this.payments.openButNotDueBefore(beyondAny, free)) this.start(id, now);
  }

  private async endSessions(now: number): Promise<void> {
    const overdue = await this.sessions.overdue(now, BATCH);
    this.sessionsAt = nextAfter(overdue);
    await Promise.all(overdue.map((session) => this.sessionsService.expire(session)));
  }
}

/** When something was last done; long ago, if there is more to do. */
function nextAfter(batch: readonly unknown[]): number {
  return batch.length < BATCH ? performance.now() : -Infinity;
}
