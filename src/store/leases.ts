import type { Lease } from './schema.js';

/**
 * No lease lasts longer. One that seems to was taken before the clock was set back, and would otherwise last longer by
 * as much.
 */
const LONGEST_LEASE_MS = 60_000;

/**
 * Whether the lease is in force by the store's clock. One that is not may still have a living holder, if that clock was
 * set: see `LeaseWatch`.
 */
export function isHeld(lease: Lease, now: number): boolean {
  return lease.owner !== null && lease.until > now && lease.until - now <= LONGEST_LEASE_MS;
}

/** The lease after `owner` took it, with the next fencing number. */
export function taken(lease: Lease, owner: string, until: number): Lease {
  return { owner, until, fence: lease.fence + 1 };
}
