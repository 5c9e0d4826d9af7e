import { EXPIRED } from './facts.js';
import { paidBy } from './orders.js';
import { openOperation, type Order, type OrderState, type Payment, type Session } from './payment.js';

/**
 * An order as the store has it, with a payment that it lost. What had been recorded of its money is lost too, so it
 * enters as an adopted one does: the gateway's word says it all again.
 */
export function remembering<S extends OrderState>(
  stored: S,
  known: OrderState,
  paymentId: string,
  now: number,
): S {
  const lost = known.payments.find(({ id }) => id === paymentId);
  // The same number is the same payment to the gateway.
  const isHere = stored.payments.some(({ id, n }) => id === paymentId || n === lost?.n);
  if (!lost || !known.order || isHere) return stored;
  const order: Order = stored.order ?? {
    ...known.order,
    live: null,
    payer: null,
    duplicates: [],
    sessions: [],
  };
  const isFree = order.live === null && paidBy(order, stored.payments) === undefined;
  const sessions = known.order.sessions.filter(
    ({ id }) => !order.sessions.some((session) => session.id === id),
  );
  return {
    ...stored,
    order: {
      ...order,
      attempts: Math.max(order.attempts, lost.n),
      sessions: [...order.sessions, ...sessions.map(asUnpaid)],
      live: isFree ? lost.id : order.live,
    },
    payments: [...stored.payments, asAdopted(lost, isFree, now)],
  };
}

/** Who paid it is lost; expiry counts on. */
function asUnpaid(session: Session): Session {
  const { status } = session;
  return { ...session, ...(status === 'paid' ? { status: 'open', endedAt: null } : {}), sequence: 0 };
}

function asAdopted(lost: Payment, isFree: boolean, now: number): Payment {
  const open = openOperation(lost);
  return {
    ...lost,
    ...{ status: isFree ? 'processing' : 'expired', failure: isFree ? null : EXPIRED, nextAction: null },
    ...{ authorized: null, captured: 0n, corrected: 0n, refunded: 0n, disputedAmount: 0n, reversed: 0n },
    ...{ disputed: false, duplicateOf: null, attention: [], resolvedWords: [], sequence: 0, timeline: [] },
    ...{ paidAt: null, statusSince: now, check: { at: now, attempts: 0, urgent: true, since: now } },
    operations: open ? [open] : [],
  };
}
