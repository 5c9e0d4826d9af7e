import type { CheckoutSession, Payment } from '../kit/types.js';
import { hasOtherAmount } from './outcome.js';
import type { View } from './view.js';

/** What a session says that the view does not show: a payment of it, or that the session has ended. */
export function newsIn(session: CheckoutSession, view: View): Payment | 'session' | undefined {
  const shown = 'payment' in view ? view.payment : undefined;
  const latest = paymentThatCounts(session) ?? session.payments.find(({ id }) => id === shown?.id);
  if (latest !== undefined && standing(latest) !== standing(shown)) return latest;
  const isForm = view.kind === 'choose' || view.kind === 'declined';
  const hasEnded = session.status !== 'open';
  const isOver = view.kind === 'ended' ? hasEnded && session.status !== view.reason : isForm && hasEnded;
  return isOver || view.kind === 'unavailable' ? 'session' : undefined;
}

/** How a payment stands, as far as a payer can see it. */
function standing(payment: Payment | undefined): string {
  if (payment === undefined) return '';
  const { id, status, nextAction, amountRefunded, disputed } = payment;
  return JSON.stringify([id, status, nextAction?.type, hasOtherAmount(payment), amountRefunded, disputed]);
}

/** The payment that is in progress or held, of which there is at most one, else one that succeeded, or closed the session as it was reversed. */
export function paymentThatCounts({ payments, status: ended }: CheckoutSession): Payment | undefined {
  const isLive = ({ status }: Payment): boolean =>
    ['processing', 'requires_action', 'authorized'].includes(status);
  const isReversed = ({ status, amountCaptured }: Payment): boolean =>
    ended === 'closed' && status === 'voided' && amountCaptured !== null;
  return (
    payments.find(isLive) ??
    payments.find(({ status }) => status === 'succeeded') ??
    payments.findLast(isReversed)
  );
}
