import { isHeld, taken } from '../../store/leases.js';
import type { Lease, PaymentRecord } from '../../store/schema.js';

/**
 * How long a payment's lease lasts unless it is renewed: long enough that a busy process renews it in time, short
 * enough that a payer need not wait long when a process has died.
 */
export const LEASE_MS = 8_000;

function leaseOf({ leaseOwner, leaseUntil, leaseFence }: PaymentRecord): Lease {
  return { owner: leaseOwner, until: leaseUntil, fence: leaseFence };
}

/** Whether somebody asks the gateway about this payment, or has begun an operation on it, right now. */
export function isLeased(payment: PaymentRecord, now: number): boolean {
  return isHeld(leaseOf(payment), now);
}

/** The payment with its lease taken by this process. Whoever looks after its end asks the gateway. */
export function withLease(payment: PaymentRecord, owner: string, now: number): PaymentRecord {
  const lease = taken(leaseOf(payment), owner, now + LEASE_MS);
  return {
    ...payment,
    leaseOwner: lease.owner,
    leaseUntil: lease.until,
    leaseFence: lease.fence,
    nextStatusCheckAt: Math.max(payment.nextStatusCheckAt ?? 0, lease.until),
    version: payment.version + 1,
  };
}

/** The same for an operation: it may have been sent when this process dies, so the gateway is asked right after. */
export function withOperationLease(payment: PaymentRecord, owner: string, now: number): PaymentRecord {
  const leased = withLease(payment, owner, now);
  return { ...leased, nextStatusCheckAt: leased.leaseUntil };
}

/** The payment with its lease renewed, or undefined where it was lost meanwhile. */
export function renewed(
  payment: PaymentRecord,
  owner: string,
  fence: number,
  now: number,
): PaymentRecord | undefined {
  if (payment.leaseOwner !== owner || payment.leaseFence !== fence) return undefined;
  return { ...payment, leaseUntil: now + LEASE_MS, nextStatusCheckAt: now + LEASE_MS };
}

/** Whether this holding of the lease is still the one in force. */
export function holds(payment: PaymentRecord, owner: string, fence: number): boolean {
  return payment.leaseOwner === owner && payment.leaseFence === fence;
}
