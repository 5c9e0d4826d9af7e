import { isLive, type Order, type OrderState } from './payment.js';

/** An order as the store has it, with a payment that it lost after that was committed (contract, part 9). */
export function remembering<S extends OrderState>(stored: S, known: OrderState, paymentId: string): S {
  const lost = known.payments.find(({ id }) => id === paymentId);
  if (!lost || !known.order || stored.payments.some(({ id }) => id === paymentId)) return stored;
  const sameNumber = stored.payments.some(({ n }) => n === lost.n);
  const order: Order = stored.order ?? known.order;
  const sessions = known.order.sessions.filter(
    ({ id }) => !order.sessions.some((session) => session.id === id),
  );
  const attempts = Math.max(order.attempts, lost.n);
  const payment = sameNumber ? { ...lost, n: attempts + 1 } : lost;
  return {
    ...stored,
    order: {
      ...order,
      attempts: sameNumber ? attempts + 1 : attempts,
      sessions: [...order.sessions, ...sessions],
      live: order.live ?? (isLive(payment) ? payment.id : null),
    },
    payments: [...stored.payments, payment],
  };
}
