import type { PaymentStatus, PaymentRecord } from '../../store/schema.js';
import { holdsMoney, type MoneyFacts } from './money-held.js';
import type { GatewayMeaning } from '../../gateway/gateway-result.js';
import { methodOf } from '../../methods/methods.js';

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

/** What a payment's row says of what the shop was told of it. */
type Told = Pick<PaymentRecord, 'announcedPaidAt' | 'paidAt' | 'duplicateOf'>;

/**
 * Whether the shop was told at any time that a payment pays its order. Versions before 0.3.0, which kept no `paidAt`, told it of each paid
 * one that was no duplicate. Pure.
 */
export function isAnnounced({ announcedPaidAt, paidAt, duplicateOf }: Told): boolean {
  return announcedPaidAt !== null || (paidAt === null && duplicateOf === null);
}

/**
 * Whether a payment holds money beside the one that pays its order, and the shop was told that it pays itself, as while the money of the
 * first was charged back. Goods may have been sent for it, so no policy voids it. Pure.
 */
export function isAnnouncedDuplicate(payment: Told & MoneyFacts): boolean {
  return payment.duplicateOf !== null && isAnnounced(payment) && holdsMoney(payment);
}

/**
 * Whether a card is being charged: the card, or the code or PIN that was asked for, has been sent, and no answer has named a next action
 * or an end since. That is not waiting for the payer: only the word of the gateway or of a person ends it, since the money may be
 * taken at any moment. Pure.
 */
export function isBeingCharged({ status, method }: Pick<PaymentRecord, 'status' | 'method'>): boolean {
  // Whatever only begins with its first call takes no money by it.
  return status === 'processing' && methodOf(method).finishesAtOnce;
}

/** Whether a card goes on being charged after an answer that says that the gateway waits: it names nothing that it waits for. Pure. */
export function isStillCharged(
  payment: Pick<PaymentRecord, 'status' | 'method'>,
  meaning: GatewayMeaning,
): boolean {
  return isBeingCharged(payment) && meaning === 'processing';
}
