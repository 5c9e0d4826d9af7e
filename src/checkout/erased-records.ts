import type { Change, Store, Stored } from '../store/store.js';

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
