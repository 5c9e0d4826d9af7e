import { Injectable } from '@nestjs/common';
import { approvals, type ApprovalRecord, type ApprovalState } from '../store/schema.js';
import { decodeRow, type StoredRow } from '../store/table.js';
import { Store } from '../store/store.js';

/** Which approvals to read. */
export interface ApprovalFilter {
  readonly state?: ApprovalState | undefined;
  readonly paymentId?: string | undefined;
  readonly limit: number;
  /** The id that the page begins after. */
  readonly cursor?: string | undefined;
}

/** Reads approvals. Only the payment writer writes them, but for {@link markDone}. */
@Injectable()
export class ApprovalsRepository {
  constructor(private readonly store: Store) {}

  async find(id: string): Promise<ApprovalRecord | undefined> {
    const row = await this.store.db
      .selectFrom('approvals')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && decodeRow(approvals, row as StoredRow);
  }

  /** The newest first. */
  async list({ state, paymentId, limit, cursor }: ApprovalFilter, now: number): Promise<ApprovalRecord[]> {
    let query = this.store.db.selectFrom('approvals').selectAll();
    if (state !== undefined) query = query.where('state', '=', state === 'expired' ? 'waiting' : state);
    if (state === 'waiting') query = query.where('expires_at', '>', now);
    if (state === 'expired') query = query.where('expires_at', '<=', now);
    if (paymentId !== undefined) query = query.where('payment_id', '=', paymentId);
    if (cursor !== undefined) query = query.where('id', '<', cursor);
    const rows = await query.orderBy('id', 'desc').limit(limit).execute();
    return rows.map((row) => decodeRow(approvals, row as StoredRow));
  }

  /** How many wait now. */
  async waiting(now: number): Promise<number> {
    const { count } = await this.store.db
      .selectFrom('approvals')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('state', '=', 'waiting')
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** The one about this object that waits now. */
  async findWaiting(objectId: string, now: number): Promise<ApprovalRecord | undefined> {
    const row = await this.store.db
      .selectFrom('approvals')
      .selectAll()
      .where('object_id', '=', objectId)
      .where('state', '=', 'waiting')
      .where('expires_at', '>', now)
      .executeTakeFirst();
    return row && decodeRow(approvals, row as StoredRow);
  }

  /** Approved ones of which not everything is written down, the oldest first. */
  async undone(limit: number): Promise<ApprovalRecord[]> {
    const rows = await this.store.db
      .selectFrom('approvals')
      .selectAll()
      .where('state', '=', 'approved')
      .where('done_at', 'is', null)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map((row) => decodeRow(approvals, row as StoredRow));
  }

  /** Nothing is left to do of an approved one. */
  async markDone(id: string, now: number): Promise<void> {
    await this.store.db
      .updateTable('approvals')
      .set({ done_at: now })
      .where('id', '=', id)
      .where('state', '=', 'approved')
      .where('done_at', 'is', null)
      .execute();
  }
}
