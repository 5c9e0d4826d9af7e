import type { PaymentRecord } from '../../store/schema.js';
import { failure } from '../state/failures.js';
import type { Reading, StatusInquiry } from '../interpret/interpret-status.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** A payment that waits for its payer, or that the gateway has said it waits with. */
export function isCancelable(payment: PaymentRecord): boolean {
  return payment.status === 'requires_action' || (payment.status === 'processing' && payment.waiting);
}

/** Nothing clear came of asking, and the payment is as live as before. */
export function isUndecided({ reading, payment }: { reading: Reading; payment: PaymentRecord }): boolean {
  const open = payment.status === 'requires_action' || payment.status === 'processing';
  return open && (reading === 'inconclusive' || reading === 'waiting');
}

/** What a cancellation makes of the gateway's word that it waits. */
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
