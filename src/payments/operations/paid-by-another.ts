import { Problem } from '../../http/problems/problem.js';
import type { PaymentSnapshot } from '../apply/apply.js';

/**
 * Throws `session-paid` where another payment has paid the reference. What would take this payment's money is not sent then,
 * though it began before: late money of a canceled or failed payment may have come in between, and the payer would pay
 * twice at our asking. Pure.
 */
export function assertNotPaidByAnother({ payment, reference }: PaymentSnapshot): void {
  const other = reference.paidPaymentIds.find((id) => id !== payment.id);
  if (other === undefined) return;
  throw new Problem('session-paid', 'This is already paid by another payment.', { paymentId: other });
}
