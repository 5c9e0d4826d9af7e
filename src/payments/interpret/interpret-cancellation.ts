import type { GatewayResult } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import { isBeingCharged, isStillCharged } from '../state/payment-state.js';
import { failure } from '../state/failures.js';
import type { Reading, StatusInquiry } from './status-answer.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/**
 * Whether the gateway is asked for a cancellation: the payment waits for its payer, as its status or the gateway's last answer says,
 * or a card is being charged, of which the gateway may name the end.
 */
export function isCancelable(payment: PaymentRecord): boolean {
  if (isBeingCharged(payment)) return true;
  return payment.status === 'requires_action' || (payment.status === 'processing' && payment.waiting);
}

/**
 * Whether a cancellation may end a payment, as the gateway's answer to it says: the payer is waited for, and the card is not being
 * charged. A challenge that nobody can answer here has no payer at work on it, so for that it is enough that the gateway does not
 * know the payment.
 */
export function endsByCancel(reading: Reading, payment: PaymentRecord, result: GatewayResult): boolean {
  if (!isCancelable(payment)) return false;
  const meaning = result.kind === 'answered' ? result.answer.meaning : undefined;
  if (reading === 'waiting') return meaning !== undefined && !isStillCharged(payment, meaning);
  return (
    meaning === 'unknownTransaction' &&
    payment.status === 'requires_action' &&
    payment.nextAction?.type === 'unsupported'
  );
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
