import type { OperationRecord, PaymentRecord } from '../../store/schema.js';

/**
 * What a status check is worth, the most urgent first. The numbers are kept in the store, so they never change their
 * meaning.
 */
export const WORTH = {
  /** Money may have moved and nobody knows. */
  unknown: 1,
  /** The gateway has sent a notification about the payment. */
  notified: 2,
  /** The payment waits for its payer. */
  waiting: 3,
  /** The payment is closed or held, and money may yet move. */
  followUp: 4,
} as const;

export type Worth = (typeof WORTH)[keyof typeof WORTH];

/** Every worth, the most urgent first. */
export const WORTHS: readonly Worth[] = Object.values(WORTH);

/** An unknown outcome is fresh for this many checks. */
const FRESH_CHECKS = 3;

/** What the next status check of a payment is worth. Pure. */
export function worthOf(
  payment: Pick<PaymentRecord, 'status' | 'notificationChecks'>,
  openOperations: readonly Pick<OperationRecord, 'status'>[],
): Worth {
  if (payment.notificationChecks !== null) return WORTH.notified;
  if (openOperations.some(({ status }) => status === 'unknown')) return WORTH.unknown;
  if (payment.status === 'processing') return WORTH.unknown;
  return payment.status === 'requires_action' ? WORTH.waiting : WORTH.followUp;
}

/**
 * Whether a payment's outcome became unknown just now. Its first checks must not wait behind thousands of payments that
 * were asked about many times.
 */
export function isFresh(
  payment: Pick<PaymentRecord, 'status' | 'pendingOperation' | 'statusCheckCount'>,
): boolean {
  const unknown = payment.status === 'processing' || payment.pendingOperation !== null;
  return unknown && payment.statusCheckCount <= FRESH_CHECKS;
}

/**
 * Payers who never pay leave thousands of payments waiting, which are asked about as rarely as the rate demands. That is no
 * fault: if one of them pays after all, the gateway notifies, and that is asked about at once.
 */
const MAY_WAIT_MS = 1_800_000;
const MAY_WAIT: readonly number[] = [WORTH.waiting, WORTH.followUp];

/**
 * For how many milliseconds the check that is most behind is overdue; 0 where none is. Pure.
 *
 * @param due for each worth when its oldest check was due.
 */
export function mostOverdue(due: readonly { worth: number; oldest: number | null }[], now: number): number {
  const overdue = due.map(({ worth, oldest }) =>
    oldest === null ? 0 : now - Number(oldest) - (MAY_WAIT.includes(Number(worth)) ? MAY_WAIT_MS : 0),
  );
  return Math.max(0, ...overdue);
}
