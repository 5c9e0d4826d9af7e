import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Store } from '../store/store.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { Metrics } from '../telemetry/metrics.js';

const LOOK_AT_CLOCK_EVERY_MS = 1_000;

/** Whether the process should get requests and, where not, why. */
export interface Readiness {
  status: 'ready' | 'not-ready';
  reason?: 'stopping' | 'store' | 'clock';
  /** For a person. */
  detail?: string;
}

/** Whether this process is alive, and whether it should get requests. The gateway's state affects neither. */
@Injectable()
export class Health implements OnApplicationBootstrap {
  private stopping = false;
  private clockIsOff = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: Store,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.lookAtClock();
    this.timer = setInterval(() => {
      this.lookAtClock();
    }, LOOK_AT_CLOCK_EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** From now on the process is not ready, so that load balancers stop sending requests. */
  stop(): void {
    this.stopping = true;
  }

  async readiness(): Promise<Readiness> {
    if (this.stopping) return { status: 'not-ready', reason: 'stopping' };
    const unusable = await this.store.unusable();
    if (unusable) return { status: 'not-ready', reason: 'store', detail: unusable.message };
    const fault = this.lookAtClock();
    return fault === undefined
      ? { status: 'ready' }
      : { status: 'not-ready', reason: 'clock', detail: fault };
  }

  /** What is wrong with the clock. Logged when that begins, and when it ends. */
  private lookAtClock(): string | undefined {
    const fault = clockFault(this.store.clock.wallClockError());
    const isOff = fault !== undefined;
    if (isOff !== this.clockIsOff) {
      this.clockIsOff = isOff;
      if (isOff) this.logger.error({ event: 'clock.wrong', reason: fault }, 'not ready');
      else this.logger.info({ event: 'clock.right' }, 'the clock agrees with the database’s again');
    }
    return fault;
  }
}

/** How far a replica's wall clock may be from the database's. An hour's difference, or a day's, is found the same way. */
const MOST_OFF_MS = 5_000;

/**
 * What is wrong with this machine's wall clock, in words for a person; undefined where nothing is, or where there is no
 * other clock to compare it with. Pure.
 *
 * @param aheadMs see `StoreClock.wallClockError`
 */
export function clockFault(aheadMs: number | undefined): string | undefined {
  if (aheadMs === undefined || Math.abs(aheadMs) <= MOST_OFF_MS) return undefined;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  return `This machine's clock is ${seconds} s ${where} the database's: let NTP set it.`;
}

/** Prometheus usually asks every 15 s. */
const EVERY_MS = 5_000;

/** Shows in the metrics whether this process should get requests, and why not, as `/health/ready` says it. */
@Injectable()
export class ReadinessGauge implements OnApplicationBootstrap {
  private timer: NodeJS.Timeout | undefined;
  private looking = false;

  constructor(
    private readonly health: Health,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    void this.look();
    this.timer = setInterval(() => void this.look(), EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    // Whoever asks a store that hangs waits as well, and sends requests elsewhere.
    if (this.looking) {
      this.metrics.ready(false, 'store');
      return;
    }
    this.looking = true;
    const { status, reason } = await this.health.readiness();
    this.looking = false;
    this.metrics.ready(status === 'ready', reason);
  }
}
