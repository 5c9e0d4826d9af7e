import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import { Inquiry, type Asked } from '../inquiry/inquiry.js';
import {
  QuestionSchedule,
  STATUS_QUERIES,
  type Question,
  type StatusQuery,
} from '../schedule/question-schedule.js';
import { HURRIED, Recovery } from '../schedule/recovery.js';
import type { Worth } from '../schedule/worth.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { isStoreUnavailable } from '../../store/store-unavailable.js';
import { Backoff } from '../../background/backoff.js';
import { logFailure, logKind } from '../../telemetry/failure-log.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import { Tracing } from '../../telemetry/traces.js';
import { DueChecks } from './due-checks.js';
import { DuplicateVoider } from './duplicate-voider.js';
import { setTimeout as pause } from 'node:timers/promises';
import { RefundInquiry } from '../inquiry/refund-inquiry.js';

/** Questions about refunds at the same time: where they hang, nothing else waits for them. */
const MOST = 4;
const LONGEST_WAIT_FOR_ROOM_MS = 5_000;
const LOOK_FOR_ROOM_EVERY_MS = 50;

/**
 * Asks about refunds where the gateway can be asked about one: after each scheduled question about the payment, as the
 * rate of questions has room. Where it has none, the schedule comes back to the payment.
 */
@Injectable()
export class RefundFollower {
  private readonly asking = new Set<string>();

  constructor(
    private readonly refunds: RefundInquiry,
    private readonly schedule: QuestionSchedule,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Asks about the payment's open refund, or else about those whose outcome is known. Never throws. */
  async consider(payment: PaymentRecord): Promise<void> {
    const { id: paymentId } = payment;
    if (!this.refunds.mayAsk(payment) || this.asking.has(paymentId) || this.asking.size >= MOST) return;
    this.asking.add(paymentId);
    try {
      if (!(await this.room())) return;
      await (this.refunds.canAsk(payment) ? this.refunds.ask(payment) : this.refunds.askAgain(payment));
    } catch (error) {
      logFailure(this.logger, { event: 'reconciliation.refund_inquiry_failed', paymentId }, error);
    } finally {
      this.asking.delete(paymentId);
    }
  }

  private async room(): Promise<boolean> {
    const deadline = performance.now() + LONGEST_WAIT_FOR_ROOM_MS;
    while (!this.schedule.rate.take(performance.now())) {
      if (performance.now() >= deadline) return false;
      await pause(LOOK_FOR_ROOM_EVERY_MS);
    }
    return true;
  }
}

/** The store is read at least this often: on PostgreSQL other replicas write to it too. */
const LONGEST_SLEEP_MS = 1_000;
const SHORTEST_SLEEP_MS = 20;

/**
 * Runs the schedule of questions: fetches what is due, asks what the schedule says, and tells it what came of it. It
 * decides nothing itself.
 */
@Injectable()
export class StatusCheckWorker implements OnApplicationBootstrap {
  private readonly asking = new Set<Promise<void>>();
  private readonly recovery = new Recovery();
  /** The status queries that were last said to hang or fail. */
  private readonly open = new Set<StatusQuery>();
  private lookTimer: NodeJS.Timeout | undefined;
  /** Readings of `performance.now()`. */
  private lookAt = Infinity;
  private pumpTimer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private stopped = false;
  private readonly backoff: Backoff;

  constructor(
    private readonly store: Store,
    private readonly payments: PaymentsRepository,
    private readonly inquiry: Inquiry,
    private readonly schedule: QuestionSchedule,
    private readonly due: DueChecks,
    private readonly duplicates: DuplicateVoider,
    private readonly refunds: RefundFollower,
    gateway: Gateway,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tracing: Tracing,
  ) {
    this.backoff = new Backoff(logger, { event: 'reconciliation.look_failed' });
    gateway.onResult((operation, result) => {
      if (result.kind === 'busy') this.pauseFor(operation, result.retryAfterSeconds);
    });
    store.writer.onCommitted(({ payment }) => {
      if (!payment || this.stopped) return;
      this.due.take(payment);
      if (payment.nextStatusCheckAt !== null && payment.leaseOwner === null) {
        this.lookIn(payment.nextStatusCheckAt - this.store.clock.now());
      }
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.store.kind === 'postgres') {
      void this.store.prepared.then(() => {
        this.lookIn(0);
      });
      return;
    }
    // No other process can use an embedded store, so every lease in it was left behind by one that is gone.
    await this.payments.freeAllLeases(this.store.clock.now());
    this.lookIn(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.lookTimer);
    clearTimeout(this.pumpTimer);
    await this.looking;
    await Promise.all(this.asking);
  }

  /** Looks at the store after this time, or sooner if that was planned already. */
  private lookIn(milliseconds: number): void {
    if (this.stopped) return;
    const soon = Math.min(Math.max(milliseconds, SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS);
    const wait = Math.max(soon, this.backoff.rest);
    const at = performance.now() + wait;
    if (at >= this.lookAt) return;
    this.lookAt = at;
    clearTimeout(this.lookTimer);
    this.lookTimer = setTimeout(() => {
      this.lookAt = Infinity;
      // What made this look be wanted may have come after the one under way read the store.
      if (this.looking) {
        this.lookIn(0);
        return;
      }
      this.looking = this.look().finally(() => {
        this.looking = undefined;
        this.lookIn(LONGEST_SLEEP_MS);
        this.pump();
      });
    }, wait);
  }

  private async look(): Promise<void> {
    try {
      await this.due.fetch();
    } catch (error) {
      this.backoff.failed(error);
    }
  }

  /** Asks whatever may be asked now, and comes back when more may be. */
  private pump(): void {
    if (this.stopped) return;
    clearTimeout(this.pumpTimer);
    const { rest } = this.backoff;
    if (rest > 0) {
      this.pumpTimer = setTimeout(() => {
        this.pump();
      }, rest);
      return;
    }
    for (;;) {
      const now = performance.now();
      const next = this.schedule.next(now);
      if ('ask' in next) {
        this.start(next.ask);
        continue;
      }
      const wait = Math.max(SHORTEST_SLEEP_MS, Math.ceil(next.at - now));
      if (wait <= LONGEST_SLEEP_MS) {
        this.pumpTimer = setTimeout(() => {
          this.pump();
        }, wait);
      }
      break;
    }
    this.report();
    if (this.due.runsShort) this.lookIn(0);
  }

  private start(question: Question): void {
    const { paymentId } = question;
    const asking = this.tracing
      .span('inquiry', { 'tillfront.payment.id': paymentId }, () => this.ask(question), { root: true })
      .finally(() => {
        this.schedule.end(paymentId);
        this.asking.delete(asking);
        this.pump();
      });
    this.asking.add(asking);
  }

  private async ask({ paymentId, worth }: Question): Promise<void> {
    try {
      const asked = await this.inquiry.tryAsk(paymentId);
      if (!asked) {
        await this.comeBackTo(paymentId);
        return;
      }
      this.backoff.worked();
      this.follow(asked.payment);
      await this.hurryAfter(asked, worth);
      await this.duplicates.consider(asked);
    } catch (error) {
      const about = { event: 'reconciliation.inquiry_failed', paymentId };
      // A store that takes no writes takes none about the next payment either, which stays due.
      if (isStoreUnavailable(error)) this.backoff.failed(error, about);
      else logFailure(this.logger, about, error);
    }
  }

  private async hurryAfter({ reading, payment }: Asked, worth: Worth): Promise<void> {
    const now = this.store.clock.now();
    const answer = { worth, decided: reading !== 'inconclusive', openMs: now - payment.createdAt };
    if (!this.recovery.isShownBy(answer, performance.now())) return;
    await this.due.hurry(HURRIED);
    this.lookIn(0);
  }

  /** Not within the question: an operation that hangs holds no place of another. */
  private follow(payment: PaymentRecord): void {
    const following = this.refunds.consider(payment).finally(() => this.asking.delete(following));
    this.asking.add(following);
  }

  /** Somebody else asks, or it was a moment too early by the store's clock. A fresh one keeps its place. */
  private async comeBackTo(paymentId: string): Promise<void> {
    const payment = await this.payments.find(paymentId);
    if (payment) this.due.take(payment);
  }

  /** Whoever called: a gateway that is busy is busy for all. */
  private pauseFor(operation: string, retryAfterSeconds: number | undefined): void {
    const now = performance.now();
    this.schedule.rate.busy(now, retryAfterSeconds);
    const seconds = Math.ceil((this.schedule.rate.pausedUntil - now) / 1000);
    logKind(this.logger, { event: 'reconciliation.paused', operation }, { seconds });
  }

  private report(): void {
    for (const query of STATUS_QUERIES) {
      const state = this.schedule.circuitState(query);
      const isOpen = state === 'open';
      if (isOpen === this.open.has(query)) continue;
      if (isOpen) this.open.add(query);
      else this.open.delete(query);
      this.logger.warn({ event: `reconciliation.circuit_${state}`, operation: query });
    }
  }
}
