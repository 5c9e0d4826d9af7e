import { Injectable } from '@nestjs/common';
import { Store } from '../store/store.js';

/** Whether this process lives, and whether it should get requests. The gateway's state is no part of either. */
@Injectable()
export class Health {
  private stopping = false;

  constructor(private readonly store: Store) {}

  /** From now on the process is not ready, so that balancers turn away from it. */
  stop(): void {
    this.stopping = true;
  }

  async isReady(): Promise<boolean> {
    return !this.stopping && (await this.store.answers());
  }
}
