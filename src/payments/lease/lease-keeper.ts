import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { isLeased, LEASE_MS, renewed } from './payment-lease.js';

interface Holding {
  reference: string;
  paymentId: string;
  fence: number;
  renewedAt: number;
}

const CHECK_EVERY_MS = 1_000;
const RENEW_AFTER_MS = LEASE_MS / 2;

/**
 * Renews the leases of this process while its calls to the gateway last. Most calls end long before a lease does, so
 * most leases are never renewed.
 */
@Injectable()
export class LeaseKeeper implements OnApplicationShutdown {
  private readonly holdings = new Set<Holding>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly store: Store) {}

  /** Keeps a payment's lease alive while `work` runs. */
  async keep<T>(
    lease: { reference: string; paymentId: string; fence: number },
    work: () => Promise<T>,
  ): Promise<T> {
    const holding = { ...lease, renewedAt: performance.now() };
    this.holdings.add(holding);
    this.timer ??= setInterval(() => {
      this.renewOld();
    }, CHECK_EVERY_MS).unref();
    try {
      return await work();
    } finally {
      this.holdings.delete(holding);
    }
  }

  /**
   * Whether somebody holds the payment's lease. A living call of this process keeps it whatever the clock says: a wall clock
   * that jumps while the call lasts must not let this process take over, and settle, its own payment.
   */
  isTaken(payment: PaymentRecord, now: number): boolean {
    return isLeased(payment, now) || this.isHolding(payment);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private isHolding({ id, leaseFence }: PaymentRecord): boolean {
    for (const { paymentId, fence } of this.holdings) {
      if (paymentId === id && fence === leaseFence) return true;
    }
    return false;
  }

  private renewOld(): void {
    const now = performance.now();
    for (const holding of this.holdings) {
      if (now - holding.renewedAt < RENEW_AFTER_MS) continue;
      holding.renewedAt = now;
      // A renewal that fails is tried again at the next check; a lease that was lost stays lost.
      this.renew(holding).catch(() => {
        holding.renewedAt = -Infinity;
      });
    }
  }

  private async renew({ reference, paymentId, fence }: Holding): Promise<void> {
    await this.store.writer.write({ reference, paymentId }, ({ payment }) => {
      const kept = payment && renewed(payment, this.store.owner, fence, this.store.clock.now());
      return { changes: kept ? { payment: kept } : {}, result: undefined };
    });
  }
}
