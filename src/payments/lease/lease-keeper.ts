import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LeaseWatch } from '../../store/lease-watch.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { Backoff } from '../../background/backoff.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import { isLeased, LEASE_MS, leaseOf, renewed } from './payment-lease.js';

interface Holding {
  reference: string;
  paymentId: string;
  fence: number;
  renewedAt: number;
}

const CHECK_EVERY_MS = 1_000;
const RENEW_AFTER_MS = LEASE_MS / 2;
/** Other replicas' leases that are watched at once. There is one for each of their calls under way. */
const MAX_WATCHED = 2_000;

/**
 * Knows which payments' leases are living. Renews those of this process while its work lasts; most end long before a
 * lease does, so most leases are never renewed. Watches those of other replicas, so that one is taken over only if its
 * holder has shown no sign of life for as long as a lease lasts.
 */
@Injectable()
export class LeaseKeeper implements OnApplicationBootstrap {
  private readonly holdings = new Set<Holding>();
  private readonly watch = new LeaseWatch();
  private timer: NodeJS.Timeout | undefined;
  private watchTimer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly backoff: Backoff;

  constructor(
    private readonly store: Store,
    private readonly repository: PaymentsRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.backoff = new Backoff(logger, { event: 'leases.watch_failed' });
  }

  onApplicationBootstrap(): void {
    // No other process can use an embedded store.
    if (this.store.kind === 'postgres') void this.store.prepared.then(() => this.watchOthers());
  }

  /**
   * Keeps a payment's lease alive while `work` runs: the call to the gateway and the writing of its answer. Until then
   * nobody in this process takes the payment over, whatever a clock says.
   */
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

  /** Whether somebody who may be alive holds the payment's lease. `now` is by the store's clock. */
  isTaken(payment: PaymentRecord, now: number): boolean {
    const { leaseOwner } = payment;
    if (leaseOwner === null) return false;
    if (leaseOwner === this.store.owner) return this.isHolding(payment) || isLeased(payment, now);
    if (this.store.kind === 'embedded') return false;
    return this.watch.mayBeLiving(payment.id, leaseOf(payment), { now, lasts: LEASE_MS });
  }

  onApplicationShutdown(): void {
    this.close();
  }

  close(): void {
    this.stopped = true;
    clearInterval(this.timer);
    clearTimeout(this.watchTimer);
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

  /** Sees each lease soon after it was taken, so that a dead replica's is taken over soon after its end. */
  private async watchOthers(): Promise<void> {
    if (this.stopped) return;
    try {
      const leases = await this.repository.leasedByOthers(MAX_WATCHED);
      const now = this.store.clock.now();
      for (const { id, ...lease } of leases) this.watch.mayBeLiving(id, lease, { now, lasts: LEASE_MS });
      this.backoff.worked();
    } catch (error) {
      this.backoff.failed(error);
    }
    const wait = Math.max(CHECK_EVERY_MS, this.backoff.rest);
    this.watchTimer = setTimeout(() => void this.watchOthers(), wait).unref();
  }
}
