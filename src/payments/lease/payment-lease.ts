import { isHeld, taken } from '../../store/leases.js';
import type { Lease, PaymentRecord } from '../../store/schema.js';
import { WORTH } from '../schedule/worth.js';

/**
 * How long a payment's lease lasts unless it is renewed: long enough that a busy process renews it in time, short
 * enough that a payer need not wait long when a process has died.
 */
export const LEASE_MS = 8_000;

/** The payment's lease. */
export function leaseOf({ leaseOwner, leaseUntil, leaseFence }: PaymentRecord): Lease {
  return { owner: leaseOwner, until: leaseUntil, fence: leaseFence };
}

/** Whether a status check or an operation on this payment is under way. */
export function isLeased(payment: PaymentRecord, now: number): boolean {
  return isHeld(leaseOf(payment), now);
}

/**
 * The payment with its lease taken by this process. The next status check is due after the lease's end at the earliest.
 */
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

/**
 * The same for an operation. If this process dies, the operation may have been sent, so a status check is due as soon
 * as the lease ends.
 */
export function withOperationLease(payment: PaymentRecord, owner: string, now: number): PaymentRecord {
  const leased = withLease(payment, owner, now);
  return { ...leased, nextStatusCheckAt: leased.leaseUntil, statusCheckWorth: WORTH.unknown };
}

/** The payment with its lease renewed; undefined where the lease was lost meanwhile. */
export function renewed(
  payment: PaymentRecord,
  owner: string,
  fence: number,
  now: number,
): PaymentRecord | undefined {
  if (payment.leaseOwner !== owner || payment.leaseFence !== fence) return undefined;
  // Always another end, also if the clock was set back by just as much: it is by this that others see the holder alive.
  const until = now + LEASE_MS === payment.leaseUntil ? payment.leaseUntil + 1 : now + LEASE_MS;
  return { ...payment, leaseUntil: until, nextStatusCheckAt: until };
}

/** Whether the lease with this fencing number is still the one in force. */
export function holds(payment: PaymentRecord, owner: string, fence: number): boolean {
  return payment.leaseOwner === owner && payment.leaseFence === fence;
}
