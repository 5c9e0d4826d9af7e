import type { CheckoutSession, Payment } from '../kit/types.js';
import type { View } from './view.js';
import { hasOtherAmount } from './outcome.js';

/** Whether news can still correct a view. Views of a payment that waits get them anyway. */
export function isWatched(view: View): boolean {
  if (view.kind === 'ended') return view.reason !== 'paid';
  if (view.kind === 'outcome') return view.payment.status !== 'succeeded';
  return view.kind === 'choose' || view.kind === 'declined';
}

/** What a session says that the view does not show: a payment of it, or that the session has ended. */
export function newsIn(session: CheckoutSession, view: View): Payment | 'session' | undefined {
  const shown = 'payment' in view ? view.payment : undefined;
  const latest =
    livePayment(session) ??
    session.payments.find(({ status }) => status === 'succeeded') ??
    session.payments.find(({ id }) => id === shown?.id);
  // a page that was left for a bank's is shown again by the back button
  const isBack = view.kind === 'redirect' && view.stage === 'leaving';
  if (view.kind === 'confirming') return latest && !isConfirming(latest) ? latest : undefined;
  if (latest !== undefined && (isBack || standing(latest) !== standing(shown))) return latest;
  const isForm = view.kind === 'choose' || view.kind === 'declined';
  const isOver = view.kind === 'ended' ? session.status !== view.reason : isForm && session.status !== 'open';
  return isOver || view.kind === 'unavailable' ? 'session' : undefined;
}

function isConfirming(payment: Payment): boolean {
  const { status, nextAction } = payment;
  const isWaiting = status === 'processing' || (status === 'requires_action' && nextAction === null);
  return isWaiting && !hasOtherAmount(payment);
}

/** How a payment stands, as far as a payer can see it. */
function standing(payment: Payment | undefined): string {
  if (payment === undefined) return '';
  const { id, status, nextAction, amountRefunded, disputed } = payment;
  return JSON.stringify([id, status, nextAction?.type, hasOtherAmount(payment), amountRefunded, disputed]);
}

/** The payment that is in progress or held. There is at most one. */
export function livePayment(session: CheckoutSession): CheckoutSession['payments'][number] | undefined {
  return session.payments.find(({ status }) =>
    ['processing', 'requires_action', 'authorized'].includes(status),
  );
}
