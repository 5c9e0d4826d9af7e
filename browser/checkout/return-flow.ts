import { TillfrontError } from '../kit/tillfront-error.js';
import type { Payment, Tillfront } from '../kit/types.js';
import { isWaiting, viewOf, type View } from './view.js';

interface ReturnEvents {
  /** A new view. `payment` is the last one that was read. */
  show: (view: View, payment: Payment | undefined) => void;
  /** The payment has a result. */
  result: (payment: Payment) => void;
}

/**
 * Shows the result of one payment to whoever holds the payer's link back from the bank. It offers no actions. `reader`: the
 * client of the link's token.
 */
export async function showPayment(
  reader: Tillfront,
  paymentId: string,
  events: ReturnEvents,
  signal: AbortSignal,
): Promise<void> {
  let known: Payment | undefined;
  try {
    let payment = await reader.payment(paymentId);
    while (!signal.aborted) {
      known = payment;
      // What is asked of the payer is not told to whoever holds the link.
      events.show(viewOf({ ...payment, nextAction: null }, 'returned'), payment);
      if (!isWaiting(payment)) events.result(payment);
      if (payment.status === 'succeeded') return;
      // Money may still come, whatever is shown.
      payment = await reader.waitFor(payment, { signal, late: true });
    }
  } catch (error) {
    const status = error instanceof TillfrontError ? error.status : 0;
    // The token expired while the result was awaited. What is shown is still correct, and no reason to pay again.
    if (signal.aborted || (status === 401 && known !== undefined)) return;
    const reason = [401, 403, 404].includes(status) ? 'returned' : 'connection';
    events.show({ kind: 'unavailable', reason }, known);
  }
}
