import { Injectable } from '@nestjs/common';
import { Store } from '../store/store.js';

/** Whether this process is alive, and whether it should get requests. The gateway's state affects neither. */
@Injectable()
export class Health {
  private stopping = false;

  constructor(private readonly store: Store) {}

  /** From now on the process is not ready, so that load balancers stop sending requests. */
  stop(): void {
    this.stopping = true;
  }

  async isReady(): Promise<boolean> {
    return !this.stopping && (await this.store.answers());
  }
}
