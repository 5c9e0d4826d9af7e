import { formatMajor } from '../../money/money.js';
import type { OperationRecord, PaymentRecord, PendingOperation } from '../../store/schema.js';
import { moneyHeld } from '../state/money-held.js';
import { endedBy } from '../state/ended-by.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** Writes into a payment what an update knows of it besides its status. */
export function takeFacts(payment: PaymentRecord, update: PaymentUpdate): void {
  if (update.transactionRef !== undefined) payment.transactionRef = update.transactionRef;
  if (update.kept !== undefined) payment.kept = { ...payment.kept, ...update.kept };
  if (update.gatewayExpiresAt !== undefined) payment.gatewayExpiresAt = update.gatewayExpiresAt;
  if (update.answered) payment.answered = true;
  if (update.waiting) payment.waiting = true;
  if (update.notKnown) payment.notKnownCount += 1;
  if (update.captured !== undefined) payment.amountCaptured = update.captured;
  if (update.resolved || update.refundResolved) payment.resolvedAt = payment.updatedAt;
  if (update.unlistedWord !== undefined) payment.unlistedWord = update.unlistedWord;
}

/**
 * A void that time has ended, as the operations `refused` say, may have been done after all. A person's word about the payment ends that
 * doubt, and so does its reversal.
 */
export function noteDoubtfulVoid(
  payment: PaymentRecord,
  update: PaymentUpdate,
  refused: readonly OperationRecord[],
): void {
  if (update.resolved || update.move?.to === 'voided') payment.voidDoubtfulSince = null;
  const doubtful = refused.some((operation) => operation.type === 'void' && endedBy(operation) === 'time');
  if (doubtful) payment.voidDoubtfulSince = payment.updatedAt;
}

/** How long before a payment its money can have moved, by the gateway's clock, at most. */
const BELIEVED_BEFORE = 60 * 24 * 3_600_000;

/** When the gateway says that the payment was paid; undefined where it says nothing, or what cannot be. */
export function believedPaidAt({ move }: PaymentUpdate, payment: PaymentRecord): number | undefined {
  const at = move?.paidAt;
  if (at === undefined || at > payment.updatedAt || at < payment.createdAt - BELIEVED_BEFORE)
    return undefined;
  return at;
}

/** Writes into a payment that it was charged back, or more of it, or that it was not after all; says what of that is news. */
export function takeDispute(
  payment: PaymentRecord,
  { disputed, disputedAmount, disputeWon }: PaymentUpdate,
): { entry: 'disputed' | 'dispute_won'; detail?: Record<string, string> } | undefined {
  if (disputeWon && payment.disputed) {
    Object.assign(payment, { disputed: false, amountDisputed: null, disputedAt: null });
    return { entry: 'dispute_won' };
  }
  if (!disputed) return undefined;
  const rises = disputedAmount !== undefined && disputedAmount > (payment.amountDisputed ?? disputedAmount);
  if (payment.disputed && !rises) return undefined;
  const held = moneyHeld(payment);
  const amount = disputedAmount ?? (held > 0n ? held : null);
  Object.assign(payment, { disputed: true, amountDisputed: amount, disputedAt: payment.updatedAt });
  return {
    entry: 'disputed',
    ...(amount !== null && { detail: { amount: formatMajor(amount, payment.currency) } }),
  };
}

/** The operation whose outcome is unknown, as an answer shows it. */
export function pendingOperation(
  operations: readonly OperationRecord[],
  currency: string,
): PendingOperation | null {
  const pending = operations.find((operation) => operation.status === 'unknown');
  return pending
    ? {
        type: pending.type,
        ...(pending.amount !== null && { amount: formatMajor(pending.amount, currency) }),
        since: new Date(pending.createdAt).toISOString(),
      }
    : null;
}
