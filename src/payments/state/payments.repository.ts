import { Injectable } from '@nestjs/common';
import type { PaymentRecord, PaymentStatus, SessionRecord, TimelineRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { decodeRow, payments, timeline, type StoredRow } from '../../store/tables.js';

export interface PaymentFilter {
  reference?: string;
  status?: PaymentStatus;
  needsAttention?: boolean;
}

/** The last payment of a page. Payments are listed newest first, which is the order of their ids. */
export interface PaymentCursor {
  createdAt: number;
  id: string;
}

const toPayment = (row: object): PaymentRecord => decodeRow(payments, row as StoredRow);

/** Reads payments. Only the payment writer writes them. */
@Injectable()
export class PaymentsRepository {
  constructor(private readonly store: Store) {}

  async find(id: string): Promise<PaymentRecord | undefined> {
    const row = await this.store.db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toPayment(row);
  }

  async findByGatewayReference(gatewayReference: string): Promise<PaymentRecord | undefined> {
    const row = await this.store.db
      .selectFrom('payments')
      .selectAll()
      .where('reference', '=', gatewayReference.replace(/_[^_]*$/, ''))
      .where('gateway_reference', '=', gatewayReference)
      .executeTakeFirst();
    return row && toPayment(row);
  }

  /** The payments of a session, the oldest first. */
  async ofSession({ id, reference }: Pick<SessionRecord, 'id' | 'reference'>): Promise<PaymentRecord[]> {
    const rows = await this.store.db
      .selectFrom('payments')
      .selectAll()
      .where('reference', '=', reference)
      .where('session_id', '=', id)
      .orderBy('id')
      .execute();
    return rows.map(toPayment);
  }

  /** One page, newest first. */
  async list(filter: PaymentFilter, limit: number, after?: PaymentCursor): Promise<PaymentRecord[]> {
    let query = this.store.db.selectFrom('payments').selectAll();
    if (filter.reference !== undefined) query = query.where('reference', '=', filter.reference);
    if (filter.status !== undefined) query = query.where('status', '=', filter.status);
    if (filter.needsAttention !== undefined) {
      query = query.where('needs_attention', '=', filter.needsAttention ? 1 : 0);
    }
    if (after) query = query.where('id', '<', after.id);
    const rows = await query.orderBy('id', 'desc').limit(limit).execute();
    return rows.map(toPayment);
  }

  /** A payment's timeline, the oldest entry first. */
  async timeline(paymentId: string): Promise<TimelineRecord[]> {
    const rows = await this.store.db
      .selectFrom('timeline')
      .selectAll()
      .where('payment_id', '=', paymentId)
      .orderBy('sequence')
      .execute();
    return rows.map((row) => decodeRow(timeline, row as StoredRow));
  }

  /** Payments whose status check is due, the longest overdue first. */
  async dueForStatusCheck(now: number, limit: number): Promise<{ id: string; nextStatusCheckAt: number }[]> {
    const rows = await this.store.db
      .selectFrom('payments')
      .select(['id', 'next_status_check_at'])
      .where('next_status_check_at', '<=', now)
      .orderBy('next_status_check_at')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ id: row.id, nextStatusCheckAt: row.next_status_check_at ?? now }));
  }

  /**
   * Open payments that are not due before `later`. The schedule never plans so far ahead, so the clock was set back
   * after they were planned.
   */
  async openButNotDueBefore(later: number, limit: number): Promise<string[]> {
    const rows = await this.store.db
      .selectFrom('payments')
      .select('id')
      .where('next_status_check_at', '>', later)
      .where((eb) =>
        eb.or([
          eb('status', 'in', ['processing', 'requires_action']),
          eb(
            'id',
            'in',
            eb.selectFrom('operations').select('payment_id').where('status', 'in', ['intended', 'unknown']),
          ),
        ]),
      )
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** When the next status check is due. */
  async nextStatusCheckAt(): Promise<number | undefined> {
    const row = await this.store.db
      .selectFrom('payments')
      .select('next_status_check_at')
      .where('next_status_check_at', 'is not', null)
      .orderBy('next_status_check_at')
      .limit(1)
      .executeTakeFirst();
    return row?.next_status_check_at ?? undefined;
  }

  /** The leases of other processes, the first to end first. */
  async leasedByOthers(
    limit: number,
  ): Promise<{ id: string; owner: string | null; until: number; fence: number }[]> {
    return this.store.db
      .selectFrom('payments')
      .select(['id', 'lease_owner as owner', 'lease_until as until', 'lease_fence as fence'])
      .where('lease_owner', 'is not', null)
      .where('lease_owner', '<>', this.store.owner)
      .orderBy('lease_until')
      .limit(limit)
      .execute();
  }

  /**
   * Frees every payment's lease and makes what they were taken for due at once. Only for the start of a store that no
   * other process can use: whoever held a lease is gone.
   */
  async freeAllLeases(now: number): Promise<void> {
    await this.store.db
      .updateTable('payments')
      .set({ lease_owner: null, lease_until: 0, next_status_check_at: now })
      .where('lease_owner', 'is not', null)
      .execute();
  }
}
