import { formatMajor } from '../../money/money.js';
import type { OperationRecord, PaymentRecord, PendingOperation } from '../../store/schema.js';
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

/** Whether a person has said how much really arrived, of a payment whose status stays: no other event tells of it. Pure. */
export function changesAmountAlone({
  update,
  before,
  payment,
}: {
  update: PaymentUpdate;
  before: PaymentRecord;
  payment: PaymentRecord;
}): boolean {
  const stays = update.resolved === true && payment.status === before.status;
  return stays && payment.amountCaptured !== before.amountCaptured;
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
