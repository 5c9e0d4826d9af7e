import { formatMajor } from '../../money/money.js';
import type { OperationRecord, PaymentRecord, PendingOperation } from '../../store/schema.js';
import { moneyHeld } from '../state/money-held.js';
import { endedBy } from '../state/operation-state.js';
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
 * A void that time has ended, as the operations `refused` say, or that the gateway has refused in words may have been done after all. A
 * person's word about the payment ends that doubt, and so does its next move: it was reversed, or a hold was taken after all.
 */
export function noteDoubtfulVoid(
  payment: PaymentRecord,
  update: PaymentUpdate,
  refused: readonly OperationRecord[],
): void {
  if (update.resolved || update.move) payment.voidDoubtfulSince = null;
  const doubtful =
    update.voidDoubtful ??
    refused.some((operation) => operation.type === 'void' && endedBy(operation) === 'time');
  if (doubtful) payment.voidDoubtfulSince = payment.updatedAt;
}

/** How long before a payment its money can have moved, by the gateway's clock, at most. */
const BELIEVED_BEFORE = 60 * 24 * 3_600_000;

/** When money of a payment moved, as the gateway says; undefined where it says nothing, or what cannot be. */
export function believedMoment(at: number | undefined, payment: PaymentRecord): number | undefined {
  if (at === undefined || at > payment.updatedAt || at < payment.createdAt - BELIEVED_BEFORE)
    return undefined;
  return at;
}

/** Writes into a payment that it was charged back, or more or less of it than was said, or that it was not after all; says what of that is news. */
export function takeDispute(
  payment: PaymentRecord,
  { disputed, disputedAmount, disputeWon }: PaymentUpdate,
): { entry: 'disputed' | 'dispute_won'; detail?: Record<string, string> } | undefined {
  if (disputeWon && payment.disputed) {
    Object.assign(payment, { disputed: false, amountDisputed: null, disputedAt: null });
    return { entry: 'dispute_won' };
  }
  // It was charged back before it was known to be paid.
  const isUnsummed = payment.disputed && payment.amountDisputed === null && payment.disputedAt !== null;
  if (isUnsummed && payment.status === 'succeeded') payment.amountDisputed = chargedBackWithoutSum(payment);
  if (!disputed) return undefined;
  const changes = disputedAmount !== undefined && disputedAmount !== payment.amountDisputed;
  if (payment.disputed && !changes) return undefined;
  const amount = disputedAmount ?? chargedBackWithoutSum(payment);
  Object.assign(payment, { disputed: true, amountDisputed: amount, disputedAt: payment.updatedAt });
  return {
    entry: 'disputed',
    ...(amount !== null && { detail: { amount: formatMajor(amount, payment.currency) } }),
  };
}

/**
 * How much a chargeback takes that names no sum, in minor units: what was left. Where nothing was, the payer has got all of it twice. Null
 * where the payment is not paid, as far as is known.
 */
function chargedBackWithoutSum(payment: PaymentRecord): bigint | null {
  if (payment.status !== 'succeeded') return null;
  const left = moneyHeld({ ...payment, disputed: false });
  return left > 0n ? left : (payment.amountCaptured ?? payment.amount);
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
