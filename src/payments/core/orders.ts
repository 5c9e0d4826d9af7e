import type { Draft } from './draft.js';
import { holdsMoney, isLive, moneyHeld, type ClosedReason, type Order, type Payment } from './payment.js';
import { Refusal } from './refusal.js';

/** A success pays the order, or is a duplicate for good (P5). Called once the money stands in the payment. */
export function succeeded(draft: Draft, payment: Payment): 'pays' | 'duplicate' {
  const { order } = draft;
  if (payment.duplicateOf !== null) return 'duplicate';
  if (order.payer !== null && order.payer !== payment.id) {
    payment.duplicateOf = order.payer;
    order.duplicates.push(payment.id);
    return 'duplicate';
  }
  order.payer = payment.id;
  return 'pays';
}

/** Announces a success once its status has moved: the session is paid, or a person gets a duplicate. */
export function announceSuccess(
  draft: Draft,
  payment: Payment,
  role: 'pays' | 'duplicate',
  late: boolean,
): void {
  if (role === 'duplicate') {
    draft.say(payment, 'duplicate', {
      announce: 'duplicate',
      late,
      detail: { duplicateOf: payment.duplicateOf ?? '' },
    });
    draft.person(payment, 'duplicate', String(moneyHeld(payment)), true);
    return;
  }
  payFor(draft, payment, late);
  for (const other of draft.all())
    if (other.id !== payment.id && other.status === 'authorized')
      draft.person(draft.payment(other.id), 'hold_ending', '', true);
}

/** The payment's session is paid by it, also one that had expired or was closed. */
export function payFor(draft: Draft, payment: Payment, late: boolean): void {
  const session = draft.session(payment.sessionId);
  if (session.status === 'paid') return;
  session.status = 'paid';
  session.closedReason = null;
  session.endedAt ??= draft.now;
  draft.saySession(session, 'paid', late);
}

/** What follows for the order once money came or went: duplicates that are settled, a payer that pays no more. */
export function settle(draft: Draft): void {
  const { order } = draft;
  for (const id of order.duplicates) {
    const duplicate = draft.look(id);
    const raised = duplicate.attention.some((one) => one.reason === 'duplicate');
    if (raised && !holdsMoney(duplicate)) draft.end(draft.payment(id), ['duplicate']);
    if (!raised && holdsMoney(duplicate))
      draft.person(draft.payment(id), 'duplicate', String(moneyHeld(duplicate)), true);
  }
  if (order.payer === null || duplicateWithMoney(order, draft.all())) return;
  const payer = draft.look(order.payer);
  if (payer.status !== 'voided' && payer.status !== 'failed') return;
  order.payer = null;
  const session = draft.session(payer.sessionId);
  if (session.status === 'paid') closeSession(draft, payer.sessionId, 'voided');
}

/** Closes a session and announces it. */
export function closeSession(draft: Draft, id: string, reason: ClosedReason): void {
  const session = draft.session(id);
  session.status = 'closed';
  session.closedReason = reason;
  session.endedAt = draft.now;
  draft.saySession(session, 'closed');
}

/** A payment ended: its session, unless it is paid, may have seen too many declines or attempts. */
export function endedUnpaid(draft: Draft, payment: Payment): void {
  const session = draft.session(payment.sessionId);
  const declined = payment.failure?.code === 'declined' || payment.failure?.code === 'gateway_rejected';
  if (declined) session.declines += 1;
  if (session.status !== 'open') return;
  const { maxDeclines, maxPayments } = draft.rules;
  if (maxDeclines > 0 && session.declines >= maxDeclines) closeSession(draft, session.id, 'declines');
  else if (maxPayments > 0 && session.started >= maxPayments) closeSession(draft, session.id, 'attempts');
}

/** Sessions whose time is over: never while a payment of theirs is live. */
export function expireSessions(draft: Draft): void {
  for (const { id, status, expiresAt } of [...draft.order.sessions]) {
    if (status !== 'open' || expiresAt > draft.now) continue;
    if (draft.all().some((payment) => payment.sessionId === id && isLive(payment))) continue;
    const session = draft.session(id);
    session.status = 'expired';
    session.endedAt = draft.now;
    draft.saySession(session, 'expired');
  }
}

/** A duplicate of the order that holds money. */
export function duplicateWithMoney(order: Order, payments: readonly Payment[]): Payment | undefined {
  return payments.find((payment) => order.duplicates.includes(payment.id) && holdsMoney(payment));
}

/** Why nothing that charges may be sent for the order: the payment that pays, or a duplicate that holds money (P2). */
export function paidBy(order: Order, payments: readonly Payment[]): string | undefined {
  return order.payer ?? duplicateWithMoney(order, payments)?.id;
}

/** The payment of the order that a person must resolve before any operation is sent (P3). */
export function blockedBy(payments: readonly Payment[]): Payment | undefined {
  return payments.find((payment) =>
    payment.attention.some(({ reason }) =>
      ['differs', 'contradicted', 'refund_unexplained'].includes(reason),
    ),
  );
}

export function refuseWhereBlocked(payments: readonly Payment[]): void {
  const blocking = blockedBy(payments);
  if (blocking)
    throw new Refusal(
      'invalid-state',
      'A payment of this order needs a person first: resolve it.',
      blocking.id,
    );
}
