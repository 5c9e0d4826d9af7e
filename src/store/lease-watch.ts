import { isHeld } from './leases.js';
import type { Lease } from './schema.js';

/** A lease as it was first seen. Owner, end and number tell this holding from any other, and a renewal from none. */
interface Sight extends Lease {
  /** By the monotonic clock. */
  firstAt: number;
  lastAt: number;
}

/** Notes beyond these are forgotten, the longest unseen first. A forgotten lease is only waited for anew. */
const MAX_NOTES = 20_000;
const FORGET_AFTER_MS = 10 * 60_000;

/**
 * What this process has seen of leases that others hold. A clock may be set, also the database's, and then a lease looks
 * ended though its holder lives. So a lease is taken over only after this process has seen its row unchanged for as long
 * as the lease lasts, by its own monotonic clock: a living holder would have renewed it. Nothing is stored.
 */
export class LeaseWatch {
  /** The least recently seen first. */
  private readonly sights = new Map<string, Sight>();

  constructor(private readonly monotonic: () => number = () => performance.now()) {}

  /**
   * Notes the lease as it is now, and says whether its holder may still be alive: by the store's clock (`now`), or
   * because the lease was not seen unchanged for as long as it lasts.
   */
  mayBeLiving(name: string, lease: Lease, { now, lasts }: { now: number; lasts: number }): boolean {
    return !this.unchangedFor(name, lease, lasts) || isHeld(lease, now);
  }

  private unchangedFor(name: string, lease: Lease, milliseconds: number): boolean {
    const now = this.monotonic();
    const known = this.sights.get(name);
    this.sights.delete(name);
    if (lease.owner === null) return true;
    const same = known?.owner === lease.owner && known.until === lease.until && known.fence === lease.fence;
    const { owner, until, fence } = lease;
    this.sights.set(name, { owner, until, fence, firstAt: same ? known.firstAt : now, lastAt: now });
    this.forget(now);
    return same && now - known.firstAt >= milliseconds;
  }

  /** How many leases are noted. */
  get size(): number {
    return this.sights.size;
  }

  private forget(now: number): void {
    for (const [name, { lastAt }] of this.sights) {
      if (this.sights.size <= MAX_NOTES && now - lastAt < FORGET_AFTER_MS) return;
      this.sights.delete(name);
    }
  }
}
