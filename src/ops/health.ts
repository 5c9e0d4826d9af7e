import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Store } from '../store/store.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { clockFault } from './clock-check.js';

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
export class Health implements OnApplicationBootstrap, OnApplicationShutdown {
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

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** From now on the process is not ready, so that load balancers stop sending requests. */
  stop(): void {
    this.stopping = true;
  }

  async readiness(): Promise<Readiness> {
    if (this.stopping) return { status: 'not-ready', reason: 'stopping' };
    if (!(await this.store.answers())) {
      const detail = this.store.fault?.message;
      return { status: 'not-ready', reason: 'store', ...(detail !== undefined && { detail }) };
    }
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
