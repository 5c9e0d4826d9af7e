import { Injectable } from '@nestjs/common';
import { decodeRow, type StoredRow } from '../store/table.js';
import { type SessionRecord, sessions } from '../store/schema.js';
import { Store } from '../store/store.js';

/** Reads sessions. Only the payment writer writes them. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly store: Store) {}

  async find(id: string): Promise<SessionRecord | undefined> {
    const row = await this.store.db
      .selectFrom('checkout_sessions')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && decodeRow(sessions, row as StoredRow);
  }

  /** All sessions of a reference, the newest first. */
  async ofReference(reference: string): Promise<SessionRecord[]> {
    const rows = await this.store.db
      .selectFrom('checkout_sessions')
      .selectAll()
      .where('reference', '=', reference)
      .orderBy('created_at', 'desc')
      .execute();
    return rows.map((row) => decodeRow(sessions, row as StoredRow));
  }

  /** Expired open sessions without a live payment, the oldest first. */
  async overdue(now: number, limit: number): Promise<SessionRecord[]> {
    const rows = await this.store.db
      .selectFrom('checkout_sessions')
      .selectAll('checkout_sessions')
      .innerJoin('payment_references', 'payment_references.reference', 'checkout_sessions.reference')
      .where('status', '=', 'open')
      .where('expires_at', '<=', now)
      .where('live_payment_ids', '=', '[]')
      .orderBy('expires_at')
      .limit(limit)
      .execute();
    return rows.map((row) => decodeRow(sessions, row as StoredRow));
  }

  /** Sessions that were finished before `finishedBefore` and still hold payer data. */
  async unredacted(finishedBefore: number, limit: number): Promise<SessionRecord[]> {
    const rows = await this.store.db
      .selectFrom('checkout_sessions')
      .selectAll()
      .where('finished_at', 'is not', null)
      .where('finished_at', '<', finishedBefore)
      .where('redacted_at', 'is', null)
      .orderBy('finished_at')
      .limit(limit)
      .execute();
    return rows.map((row) => decodeRow(sessions, row as StoredRow));
  }

  /** The id of the latest session of a reference. */
  async lastSessionId(reference: string): Promise<string | undefined> {
    const row = await this.store.db
      .selectFrom('payment_references')
      .select('session_id')
      .where('reference', '=', reference)
      .executeTakeFirst();
    return row?.session_id ?? undefined;
  }

  /** Erases the contents of the notifications about a session's payments. That they came stays on record. */
  async eraseNotifications({ id, reference }: Pick<SessionRecord, 'id' | 'reference'>): Promise<void> {
    const { db } = this.store;
    const payments = db
      .selectFrom('payments')
      .select('id')
      .where('reference', '=', reference)
      .where('session_id', '=', id);
    await db.updateTable('notifications').set({ body: '' }).where('payment_id', 'in', payments).execute();
  }
}
