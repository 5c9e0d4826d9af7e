import { isLive, type Session } from '../payments/core/payment.js';
import { recordsErased, redactSession } from '../payments/core/sessions.js';
import type { OrderWriter } from '../payments/order-writer.js';
import type { Store, Stored } from '../store/store.js';

const BATCH = 200;

/**
 * Erases the payers of sessions that ended before this time, and what is left of those that were redacted: the process that redacted one
 * may have died before its records were erased.
 */
export async function erasePayers(orders: OrderWriter, before: number): Promise<void> {
  const due = await orders.store.rows<{ reference: string }>({
    text: 'select reference from orders where ended_at <= ? order by ended_at limit ?',
    values: [before, BATCH],
  });
  for (const { reference } of due) {
    const stored = await orders.store.read(reference);
    for (const session of stored.order?.sessions ?? []) {
      if (isDue(stored, session, before))
        await orders.write(reference, (found, moment) => ({
          decision: redactSession(found, session.id, null, moment, orders.rules()),
          result: undefined,
        }));
      else if (!session.leftToErase) continue;
      await eraseRecords(orders, reference, session.id);
    }
  }
}

function isDue({ payments }: Stored, { id, endedAt, redactedAt }: Session, before: number): boolean {
  const isOver = endedAt !== null && endedAt <= before && redactedAt === null;
  return isOver && !payments.some((payment) => payment.sessionId === id && isLive(payment));
}

/**
 * Erases a redacted session's metadata, reasons and notes from its events, approvals and ledger entries, then notes in its order that this
 * is done. What is written later has none.
 */
export async function eraseRecords(orders: OrderWriter, reference: string, sessionId: string): Promise<void> {
  const { payments } = await orders.store.read(reference);
  const own = payments.filter((payment) => payment.sessionId === sessionId);
  for (const stream of [sessionId, ...own.map(({ id }) => id)]) await eraseEvents(orders.store, stream);
  for (const { id, gatewayReference } of own) {
    await eraseApprovals(orders.store, id);
    const values = [gatewayReference];
    await orders.store.run({
      text: 'update movements set reason = null where gateway_reference = ?',
      values,
    });
    await orders.store.run({ text: 'update differences set note = null where ref = ?', values });
  }
  await orders.write(reference, (stored, moment) => ({
    decision: recordsErased(stored, sessionId, moment, orders.rules()),
    result: undefined,
  }));
}

async function eraseEvents(store: Store, stream: string): Promise<void> {
  const rows = await store.rows<{ id: string; body: string }>({
    text: 'select id, body from events where stream = ?',
    values: [stream],
  });
  for (const { id, body } of rows) {
    const event = JSON.parse(body) as { data: { metadata: Record<string, string> } };
    const names = Object.keys(event.data.metadata);
    if (names.length === 0) continue;
    event.data.metadata = Object.fromEntries(names.map((name) => [name, '']));
    await store.run({ text: 'update events set body = ? where id = ?', values: [JSON.stringify(event), id] });
  }
}

/** One may be decided meanwhile: then it is read again. */
async function eraseApprovals(store: Store, paymentId: string): Promise<void> {
  const rows = await store.rows<{ id: string; doc: string }>({
    text: 'select id, doc from approvals where payment_id = ?',
    values: [paymentId],
  });
  for (const { id, doc } of rows) {
    const erased = JSON.stringify({ ...(JSON.parse(doc) as object), reason: null, note: null });
    const changed = await store.run({
      text: 'update approvals set doc = ? where id = ? and doc = ?',
      values: [erased, id, doc],
    });
    if (changed === 0) return eraseApprovals(store, paymentId);
  }
}
