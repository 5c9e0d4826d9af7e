import { isHeld, taken } from '../../store/leases.js';
import type { Lease, PaymentRecord } from '../../store/schema.js';
import { WORTH } from '../schedule/worth.js';
import type { PaymentUpdate } from '../state/payment-update.js';

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

/**
 * What still counts of an update if its process lost the lease while it asked, so that a newer request has asked or
 * acted since. The gateway's own answer counts. Our conclusions from it do not: neither a move of our own, nor that an
 * operation has not arrived, which may have been sent only after this question, nor what the payer is to do next, who may have done it since.
 * Nor does a sum given back from which an open
 * refund was concluded: the next answer names it again, and only a rise settles that refund, so it must not be known before.
 * An old answer that contradicts a newer one raises attention like any other, for it may be the last that is heard of the
 * money, and the gateway is asked again at once. Pure.
 */
export function afterLostLease(update: PaymentUpdate): PaymentUpdate {
  const { answered, waiting, move, attention, operations } = update;
  if (move && move.by !== 'gateway') return { ...(answered && { answered }), ...(waiting && { waiting }) };
  const { refunded, conclusive, nextAction, timelineNote, ...rest } = update;
  const concludes = nextAction !== undefined || (operations?.some(({ inferred }) => inferred) ?? false);
  const said = {
    ...(refunded !== undefined && { refunded }),
    ...(conclusive !== undefined && { conclusive }),
  };
  return {
    ...rest,
    ...(timelineNote && !nextAction && { timelineNote }),
    ...(concludes ? { checkNow: true } : said),
    ...(operations && {
      operations: operations.filter(({ formerCount, inferred }) => formerCount === undefined && !inferred),
    }),
    ...(attention?.reason === 'contradicting_answer' && { checkNow: true }),
  };
}
