import type { PaymentStatus } from '../../store/schema.js';

/**
 * Who moves a payment: the gateway by an answer; the clock, after the gateway said that it waits; the payer or the
 * merchant by canceling; the service, for what it knows itself (nothing was sent); or a person who resolves what the
 * service cannot.
 */
export type Mover = 'gateway' | 'clock' | 'cancel' | 'service' | 'person';

type Table = Readonly<Record<PaymentStatus, Readonly<Partial<Record<PaymentStatus, readonly Mover[]>>>>>;

const LATE: Table['failed'] = {
  authorized: ['gateway'],
  succeeded: ['gateway', 'person'],
  voided: ['gateway', 'person'],
};

/** Every move that a payment can make, and who can make it. Nothing else ever happens. */
const MOVES: Table = {
  processing: {
    requires_action: ['gateway'],
    authorized: ['gateway'],
    succeeded: ['gateway', 'person'],
    failed: ['gateway', 'service', 'person'],
    canceled: ['cancel'],
    expired: ['gateway', 'clock'],
    voided: ['gateway', 'person'],
  },
  requires_action: {
    processing: ['gateway', 'service'],
    authorized: ['gateway'],
    succeeded: ['gateway', 'person'],
    failed: ['gateway', 'person'],
    canceled: ['cancel'],
    expired: ['gateway', 'clock'],
    voided: ['gateway', 'person'],
  },
  authorized: {
    succeeded: ['gateway', 'person'],
    failed: ['person'],
    voided: ['gateway', 'person'],
    expired: ['gateway'],
  },
  succeeded: { voided: ['gateway', 'person'] },
  failed: LATE,
  canceled: LATE,
  expired: LATE,
  voided: {},
};

const LIVE: ReadonlySet<PaymentStatus> = new Set(['processing', 'requires_action', 'authorized']);
const CLOSED_UNPAID: ReadonlySet<PaymentStatus> = new Set(['failed', 'canceled', 'expired']);

/** Whether the payment may still take money by itself. Until it may not, its reference starts no other one. */
export function isLive(status: PaymentStatus): boolean {
  return LIVE.has(status);
}

/** Whether the payment was closed unpaid. Money that moves after that is late. */
export function isClosedUnpaid(status: PaymentStatus): boolean {
  return CLOSED_UNPAID.has(status);
}

/** Whether this mover may take a payment from one status to another. */
export function canMove(from: PaymentStatus, to: PaymentStatus, mover: Mover): boolean {
  return MOVES[from][to]?.includes(mover) ?? false;
}

/** A move that the table does not have: a fault of the code, not of a caller. */
export class IllegalMove extends Error {
  constructor(from: PaymentStatus, to: PaymentStatus, mover: Mover) {
    super(`A payment cannot go from ${from} to ${to} on the word of ${mover}`);
    this.name = 'IllegalMove';
  }
}

/** Throws `IllegalMove` where `canMove` says no. */
export function assertMove(from: PaymentStatus, to: PaymentStatus, mover: Mover): void {
  if (!canMove(from, to, mover)) throw new IllegalMove(from, to, mover);
}
