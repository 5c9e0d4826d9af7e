import type { Step, DecidedWrite } from './driver.js';
import { encodeOrder, encodePayment } from './document.js';
import { randomText } from './ids.js';
import { APPROVAL_FIELDS, EVENT_FIELDS, MOVEMENT_FIELDS, STEP } from './statements.js';
import type { Change, Lease, SqlValue, Stored } from './store.js';

/** The statements that turn what is stored into what was decided, in the order in which the tables are locked: events last. */
export function decidedWrite(stored: Stored, change: Change): DecidedWrite {
  const { reference } = stored;
  const rev = randomText();
  const steps: Step[] = [orderStep(stored, change, rev)];
  paymentSteps(stored, change, steps);
  sessionSteps(stored, change, steps);
  for (const row of change.movements) steps.push([STEP.insertMovement, ...valuesOf(row, MOVEMENT_FIELDS)]);
  for (const { id, address, card, at } of change.declines ?? [])
    steps.push([STEP.insertDecline, id, address, card, at]);
  for (const row of change.approvals ?? [])
    steps.push([STEP.saveApproval, ...valuesOf(row, APPROVAL_FIELDS)]);
  for (const row of change.events) steps.push([STEP.insertEvent, ...valuesOf(row, EVENT_FIELDS)]);
  return { reference, rev, steps };
}

function valuesOf<T extends object>(row: T, fields: readonly (keyof T)[]): SqlValue[] {
  // Rows have texts, numbers, amounts, flags and null.
  return fields.map((field) =>
    typeof row[field] === 'boolean' ? Number(row[field]) : (row[field] as SqlValue),
  );
}

function orderStep({ reference, rev: prev }: Stored, { order, guard }: Change, rev: string): Step {
  const doc = encodeOrder(order);
  if (prev === null) return [STEP.insertOrder, rev, doc, reference];
  if (!guard) return [STEP.updateOrder, rev, doc, reference, prev];
  return [STEP.updateGuardedOrder, rev, doc, reference, prev, guard.payment, guard.owner];
}

function paymentSteps(stored: Stored, change: Change, steps: Step[]): void {
  const leases = new Map<string, Lease | null>();
  for (const { payment, lease } of change.leases ?? []) leases.set(payment, lease);
  for (const payment of change.payments) {
    const { id } = payment;
    const lease = leases.get(id);
    const doc = encodePayment(payment);
    if (!stored.payments.some((known) => known.id === id))
      steps.push([
        STEP.insertPayment,
        id,
        payment.reference,
        payment.n,
        doc,
        lease?.owner ?? null,
        lease?.until ?? null,
      ]);
    else if (lease === undefined) steps.push([STEP.updatePayment, doc, id]);
    else steps.push([STEP.updateLeasedPayment, doc, lease?.owner ?? null, lease?.until ?? null, id]);
    leases.delete(id);
  }
  for (const [id, lease] of leases)
    steps.push([STEP.updateLease, lease?.owner ?? null, lease?.until ?? null, id]);
}

function sessionSteps(stored: Stored, { order }: Change, steps: Step[]): void {
  const before = stored.order?.sessions ?? [];
  for (const session of order.sessions) {
    const known = before.find(({ id }) => id === session.id);
    if (known === session) continue;
    if (!known)
      steps.push([STEP.insertSession, session.id, stored.reference, session.createdAt, session.emailHash]);
    else if (known.emailHash !== session.emailHash)
      steps.push([STEP.updateSession, session.emailHash, session.id]);
  }
}

/** What the store has after the write. */
export function written(stored: Stored, change: Change, rev: string): Stored {
  const payments = [...stored.payments];
  for (const payment of change.payments) {
    const at = payments.findIndex(({ id }) => id === payment.id);
    if (at === -1) payments.push(payment);
    else payments[at] = payment;
  }
  let { leases } = stored;
  if (change.leases) {
    const after = new Map(leases);
    for (const { payment, lease } of change.leases)
      if (lease) after.set(payment, lease);
      else after.delete(payment);
    leases = after;
  }
  return { reference: stored.reference, rev, order: change.order, payments, leases };
}
