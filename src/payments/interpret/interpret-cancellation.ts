import type { PaymentRecord } from '../../store/schema.js';
import { failure } from '../state/failures.js';
import type { Reading, StatusInquiry } from './status-answer.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** Whether a payment waits for its payer, as its status or the gateway's last answer says. */
export function isCancelable(payment: PaymentRecord): boolean {
  return payment.status === 'requires_action' || (payment.status === 'processing' && payment.waiting);
}

/** Whether the gateway's answer left open what became of the payment. */
export function isUndecided({ reading, payment }: { reading: Reading; payment: PaymentRecord }): boolean {
  const open = payment.status === 'requires_action' || payment.status === 'processing';
  return open && (reading === 'inconclusive' || reading === 'waiting');
}

/** What a cancellation does to a payment that, says the gateway, still waits for its payer. */
export function canceled(
  { openOperations }: Pick<StatusInquiry, 'openOperations'>,
  actor: string,
): PaymentUpdate {
  return {
    move: { to: 'canceled', by: 'cancel', failure: failure('canceled') },
    operations: openOperations.map(({ id }) => ({ id, status: 'refused' as const })),
    answered: true,
    conclusive: true,
    actor,
  };
}
