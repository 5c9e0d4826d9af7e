import type { Change, Store, Stored } from '../store/store.js';

/** Blanks the values of metadata in a session's events and its payments'. What is announced later has none. */
export async function eraseEvents(store: Store, stored: Stored, sessionId: string): Promise<void> {
  const payments = stored.payments.filter((payment) => payment.sessionId === sessionId);
  const streams = [sessionId, ...payments.map(({ id }) => id)];
  const rows = await store.rows<{ id: string; body: string }>({
    text: `select id, body from events where stream in (${streams.map(() => '?').join(', ')})`,
    values: streams,
  });
  for (const { id, body } of rows) {
    const event = JSON.parse(body) as { data: { metadata: Record<string, string> } };
    const names = Object.keys(event.data.metadata);
    if (names.length === 0) continue;
    event.data.metadata = Object.fromEntries(names.map((name) => [name, '']));
    await store.run({ text: 'update events set body = ? where id = ?', values: [JSON.stringify(event), id] });
  }
}

/** Approvals of a session's payments without what people wrote, for the commit that erases a payer. */
export async function erasedRecords(
  store: Store,
  stored: Stored,
  sessionId: string,
): Promise<Pick<Change, 'approvals'>> {
  const ids = stored.payments.filter((payment) => payment.sessionId === sessionId).map(({ id }) => id);
  if (ids.length === 0) return {};
  const rows = await store.rows<{
    id: string;
    payment_id: string;
    reference: string;
    state: 'waiting' | 'approved' | 'declined' | 'expired';
    expires_at: number;
    created_at: number;
    doc: string;
  }>({
    text: `select id, payment_id, reference, state, expires_at, created_at, doc from approvals
      where payment_id in (${ids.map(() => '?').join(', ')})`,
    values: ids,
  });
  return {
    approvals: rows.map((row) => ({
      id: row.id,
      paymentId: row.payment_id,
      reference: row.reference,
      state: row.state,
      expiresAt: row.expires_at,
      createdAt: row.created_at,
      doc: JSON.stringify({ ...(JSON.parse(row.doc) as object), reason: null, note: null }),
    })),
  };
}
