import { Injectable } from '@nestjs/common';
import { Store } from '../store/store.js';
import { isLeased } from './payment-lease.js';
import { PaymentsRepository } from './payments.repository.js';

/** Another process may give a lease back without this one hearing of it. */
const LOOK_EVERY_MS = 250;

/** Waits until a payment's lease is free: at once when this process gives it back, by looking when another one does. */
@Injectable()
export class LeaseWaiter {
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(
    store: Store,
    private readonly repository: PaymentsRepository,
  ) {
    store.seam.onCommitted(({ payment }) => {
      if (payment && payment.leaseOwner === null) this.wake(payment.id);
    });
  }

  /** True as soon as the lease is free; false after `milliseconds`. */
  async untilFree(paymentId: string, milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const payment = await this.repository.find(paymentId);
      if (!payment || !isLeased(payment, Date.now())) return true;
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
