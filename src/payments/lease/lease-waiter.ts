import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import { Store } from '../../store/store.js';
import { LeaseKeeper } from './lease-keeper.js';
import { PaymentsRepository } from '../state/payments.repository.js';

/** Another process may give a lease back without this one being told. */
const LOOK_EVERY_MS = 250;
/** A call under way lasts at most as long as the gateway's timeout, and a little more. */
const WAIT_BEYOND_CALL_MS = 2_000;

/**
 * Waits until a payment's lease is free. It is told at once when this process gives the lease back, and polls for other
 * processes.
 */
@Injectable()
export class LeaseWaiter {
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(
    private readonly store: Store,
    private readonly repository: PaymentsRepository,
    private readonly keeper: LeaseKeeper,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    store.writer.onCommitted(({ payment }) => {
      if (payment && payment.leaseOwner === null) this.wake(payment.id);
    });
  }

  /**
   * Repeats `attempt`, which needs the payment's lease, each time the lease becomes free, until it returns something.
   * Throws `operation-in-progress` where the present holder takes longer than any call to the gateway.
   */
  async inTurn<T>(paymentId: string, attempt: () => Promise<T | undefined>): Promise<T> {
    const deadline = performance.now() + this.config.gateway.timeoutMs + WAIT_BEYOND_CALL_MS;
    for (;;) {
      const done = await attempt();
      if (done !== undefined) return done;
      if (!(await this.untilFree(paymentId, deadline - performance.now()))) {
        throw new Problem(
          'operation-in-progress',
          'Something else is being done with this payment: try again.',
          {
            paymentId,
          },
        );
      }
    }
  }

  /** True as soon as the lease is free; false after `milliseconds`. */
  private async untilFree(paymentId: string, milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const payment = await this.repository.find(paymentId);
      if (!payment || !this.keeper.isTaken(payment, this.store.clock.now())) return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await this.nextChange(paymentId, Math.min(left, LOOK_EVERY_MS));
    }
  }

  private nextChange(paymentId: string, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.waiting.get(paymentId) ?? new Set();
      this.waiting.set(paymentId, waiters);
      const done = (): void => {
        clearTimeout(timer);
        waiters.delete(done);
        if (waiters.size === 0) this.waiting.delete(paymentId);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      waiters.add(done);
    });
  }

  private wake(paymentId: string): void {
    for (const done of [...(this.waiting.get(paymentId) ?? [])]) done();
  }
}
