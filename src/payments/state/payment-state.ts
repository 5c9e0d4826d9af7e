import type { PaymentStatus } from '../../store/schema.js';

/**
 * Whose word moves a payment: the gateway's answer; our clock, beside a waiting answer; the payer or the merchant who
 * cancels; the service, for what it knows itself (nothing was sent); or a person who resolves what the machine cannot.
 */
export type Mover = 'gateway' | 'clock' | 'cancel' | 'service' | 'person';

type Table = Readonly<Record<PaymentStatus, Readonly<Partial<Record<PaymentStatus, readonly Mover[]>>>>>;

const LATE: Table['failed'] = {
  authorized: ['gateway'],
  succeeded: ['gateway', 'person'],
  voided: ['gateway', 'person'],
};

/** Every move that a payment can make, and on whose word. What is not listed never happens. */
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

/** Whether the payment may yet take money by itself: its reference starts no other one meanwhile. */
export function isLive(status: PaymentStatus): boolean {
  return LIVE.has(status);
}

/** Whether the payment was closed without money. A later word of the gateway that money moved is then late. */
export function isClosedUnpaid(status: PaymentStatus): boolean {
  return CLOSED_UNPAID.has(status);
}

/** Whether a payment may go from one status to another on this word. */
export function canMove(from: PaymentStatus, to: PaymentStatus, mover: Mover): boolean {
  return MOVES[from][to]?.includes(mover) ?? false;
}

/** A move that the table does not have: a fault of the code, never of a caller. */
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
