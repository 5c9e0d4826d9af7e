import type { DecidedWrite, Step } from './driver.js';
import { encodeOrder, encodePayment } from './document.js';
import { randomText } from './ids.js';
import { APPROVAL_FIELDS, EVENT_FIELDS, MOVEMENT_FIELDS } from './statements.js';
import type { Change, SqlValue, Stored } from './store.js';

/** The statements that turn what is stored into what was decided, in the order in which the tables are locked: events last. */
export function decidedWrite(stored: Stored, change: Change): DecidedWrite {
  const { reference } = stored;
  const rev = randomText();
  const steps: Step[] = [orderStep(stored, change, rev), ...paymentSteps(stored, change)];
  for (const session of change.order.sessions) {
    const known = stored.order?.sessions.find(({ id }) => id === session.id);
    if (!known || known.emailHash !== session.emailHash)
      steps.push(['saveSession', session.id, reference, session.createdAt, session.emailHash]);
  }
  for (const row of change.movements) steps.push(['insertMovement', ...valuesOf(row, MOVEMENT_FIELDS)]);
  for (const { id, address, card, at } of change.declines ?? [])
    steps.push(['insertDecline', id, address, card, at]);
  for (const row of change.approvals ?? []) steps.push(['saveApproval', ...valuesOf(row, APPROVAL_FIELDS)]);
  for (const row of change.events) steps.push(['insertEvent', ...valuesOf(row, EVENT_FIELDS)]);
  return { reference, rev, steps, ownTransaction: change.ownTransaction };
}

/** As both databases take them, and JSON too: amounts as text, flags as numbers. */
function valuesOf<T extends object>(row: T, fields: readonly (keyof T)[]): SqlValue[] {
  return fields.map((field) => {
    const value: unknown = row[field];
    if (typeof value === 'bigint') return String(value);
    // Rows have nothing else.
    return typeof value === 'boolean' ? Number(value) : (value as string | number | null);
  });
}

function orderStep({ reference, rev: prev }: Stored, change: Change, rev: string): Step {
  const { order, guard, ownTransaction = null } = change;
  const doc = encodeOrder(order);
  if (prev === null) return ['insertOrder', rev, doc, reference];
  if (!guard && ownTransaction === null) return ['updateOrder', rev, doc, reference, prev];
  const lease = [guard?.payment ?? null, guard?.payment ?? null, guard?.owner ?? null];
  return ['updateGuardedOrder', rev, doc, reference, prev, ...lease, ownTransaction, ownTransaction];
}

function paymentSteps(stored: Stored, { payments, leases = [] }: Change): Step[] {
  const leased = stored.payments.filter(
    ({ id }) =>
      leases.some(({ payment }) => payment === id) && !payments.some((changed) => changed.id === id),
  );
  return [...payments, ...leased].map((payment) => {
    const { id, reference, n } = payment;
    const set = leases.find((one) => one.payment === id);
    const lease = [set?.lease?.owner ?? null, set?.lease?.until ?? null];
    const doc = encodePayment(payment);
    if (!stored.payments.some((known) => known.id === id))
      return ['insertPayment', id, reference, n, doc, ...lease];
    return set ? ['updateLeasedPayment', doc, ...lease, id] : ['updatePayment', doc, id];
  });
}

/** What the store has after the write. */
export function written(stored: Stored, change: Change, rev: string): Stored {
  const payments = [...stored.payments];
  for (const payment of change.payments) {
    const at = payments.findIndex(({ id }) => id === payment.id);
    if (at === -1) payments.push(payment);
    else payments[at] = payment;
  }
  const leases = new Map(stored.leases);
  for (const { payment, lease } of change.leases ?? [])
    if (lease) leases.set(payment, lease);
    else leases.delete(payment);
  return { reference: stored.reference, rev, order: change.order, payments, leases };
}
