import { Problem } from '../../http/problems/problem.js';
import type { PaymentRecord } from '../../store/schema.js';
import { isGivenBack } from '../state/given-back.js';
import type { PaymentSnapshot } from '../apply/apply.js';

/** Who voids duplicates where `DUPLICATE_POLICY=void` is set. */
export const POLICY = 'policy';

/**
 * Throws where a person may not void the payment now: `invalid-state` where nothing is held or taken, or some of it was
 * given back, and
 * `operation-in-progress` while the policy voids a duplicate of it. Otherwise both would be reversed, and the order,
 * which the policy's void was to keep paid, would not be. Pure.
 */
export function assertVoidable(rows: PaymentSnapshot): void {
  const { payment } = rows;
  if (isGivenBack(payment)) {
    throw new Problem('invalid-state', 'A payment that was refunded or is disputed cannot be voided.');
  }
  if (payment.status !== 'authorized' && payment.status !== 'succeeded') {
    throw new Problem('invalid-state', 'Only an authorized or succeeded payment can be voided.');
  }
  assertDuplicateNotBeingVoided(rows);
}

/** Throws `operation-in-progress` while the policy voids a duplicate of the payment, which is to keep the order paid. Pure. */
export function assertDuplicateNotBeingVoided({
  payment,
  paidBeside,
}: Pick<PaymentSnapshot, 'payment' | 'paidBeside'>): void {
  const voiding = paidBeside.find(
    ({ payment: other, openOperations }) =>
      other.duplicateOf === payment.id &&
      openOperations.some(({ type, actor }) => type === 'void' && actor === POLICY),
  );
  if (!voiding) return;
  throw new Problem(
    'operation-in-progress',
    'The duplicate of this payment is being voided. Try again then.',
    {
      paymentId: voiding.payment.id,
    },
  );
}

/**
 * Throws `invalid-state` where the policy may not void the payment: it must be a duplicate of the payment that was
 * announced first, which must be paid, undisputed and under another transaction, and no operation may be open on either.
 * Fresh answers that both are paid are the caller's business. Pure.
 */
export function assertVoidableByPolicy({
  payment,
  reference,
  openOperations,
  paidBeside,
}: PaymentSnapshot): void {
  const [firstId] = reference.paidPaymentIds;
  const first = paidBeside.find((paid) => paid.payment.id === firstId);
  const isDuplicate = payment.status === 'succeeded' && first?.payment.id === payment.duplicateOf;
  if (
    !first ||
    !isDuplicate ||
    payment.needsAttention ||
    isGivenBack(payment) ||
    // Money that was given back pays nothing: the duplicate is what pays the order.
    isGivenBack(first.payment) ||
    first.payment.needsAttention ||
    openOperations.length > 0 ||
    first.openOperations.length > 0 ||
    !differentTransactions(payment, first.payment)
  ) {
    throw new Problem('invalid-state', 'This payment is not a duplicate that the policy may void now.');
  }
}

/** If the gateway shows one transaction under two references, it was paid once: voiding it would leave nothing paid. */
export function differentTransactions(one: PaymentRecord, other: PaymentRecord): boolean {
  return (
    one.transactionRef !== null &&
    other.transactionRef !== null &&
    one.transactionRef !== other.transactionRef
  );
}
