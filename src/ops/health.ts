import { Injectable } from '@nestjs/common';
import { Store } from '../store/store.js';

/** Whether the process should get requests and, where not, why. */
export interface Readiness {
  status: 'ready' | 'not-ready';
  reason?: 'stopping' | 'store' | 'clock';
  /** For a person. */
  detail?: string;
}

/** How far a replica's wall clock may be from the database's. */
const MOST_OFF_MS = 5_000;

/** Whether this process should get requests. The gateway's state does not matter. */
@Injectable()
export class Health {
  private stopping = false;

  constructor(private readonly store: Store) {}

  /** From now on the process is not ready, so that load balancers stop sending requests. */
  stop(): void {
    this.stopping = true;
  }

  async readiness(): Promise<Readiness> {
    if (this.stopping) return { status: 'not-ready', reason: 'stopping' };
    const unusable = await this.store.unusable();
    if (unusable) return { status: 'not-ready', reason: 'store', detail: unusable.message };
    const fault = clockFault(this.store.clock.wallClockError());
    if (fault !== undefined) return { status: 'not-ready', reason: 'clock', detail: fault };
    return { status: 'ready' };
  }
}

/** What is wrong with this machine's wall clock. Undefined where nothing is, or where there is no other clock. Pure. */
export function clockFault(aheadMs: number | undefined): string | undefined {
  if (aheadMs === undefined || Math.abs(aheadMs) <= MOST_OFF_MS) return undefined;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  return `This machine's clock is ${seconds} s ${where} the database's: let NTP set it.`;
}
