import { refundNumberOf, type ReferenceForm } from '../../gateway/requests/client-ref.js';
import { isBelievable } from '../../store/payment-name.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { Store } from '../../store/store.js';

/** The highest number among the names of a payment's refunds; 0: none of them is one that this service gives. Pure. */
export function highestRefundNamed(
  refundRefs: readonly (string | null)[],
  gatewayReference: string,
  form: ReferenceForm,
): number {
  const numbers = refundRefs.map((name) => (name && refundNumberOf(name, gatewayReference, form)) || 0);
  return numbers.filter((n) => isBelievable(n, 0)).reduce((highest, n) => Math.max(highest, n), 0);
}

/**
 * Gives no later refund of a payment the name of one that the gateway has seen, though the store may have lost it: a gateway that knows
 * the name would answer for the former refund, and nothing would be given back.
 */
export async function keepRefundNumber(
  store: Store,
  { id: paymentId, reference }: Pick<PaymentRecord, 'id' | 'reference'>,
  n: number,
): Promise<void> {
  await store.writer.write({ reference, paymentId }, ({ payment }) => {
    if (!payment || payment.refundsMade >= n) return { changes: {}, result: undefined };
    const version = payment.version + 1;
    return { changes: { payment: { ...payment, refundsMade: n, version } }, result: undefined };
  });
}
