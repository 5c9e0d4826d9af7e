import { Injectable } from '@nestjs/common';
import { Store } from '../store/store.js';
import type { ReadinessDto } from './health.dto.js';

/** Whether this process should get requests. The gateway's state does not matter. */
@Injectable()
export class Health {
  private stopping = false;

  constructor(private readonly store: Store) {}

  /** From now on the process is not ready, so that load balancers stop sending requests. */
  stop(): void {
    this.stopping = true;
  }

  async readiness(): Promise<ReadinessDto> {
    if (this.stopping) return { status: 'not-ready', reason: 'stopping' };
    const unusable = await this.store.unusable();
    const { restoredAt } = this.store;
    const restored = restoredAt === undefined ? {} : { restored: new Date(restoredAt).toISOString() };
    if (unusable !== undefined)
      return { status: 'not-ready', reason: 'store', detail: unusable, ...restored };
    return { status: 'ready', ...restored };
  }
}
