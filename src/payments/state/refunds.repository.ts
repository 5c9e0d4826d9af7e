import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { decodeRow, type StoredRow } from '../../store/table.js';
import { type OperationRecord, operations } from '../../store/schema.js';
import { Store } from '../../store/store.js';

/** Reads refunds. Only the payment writer writes them. */
@Injectable()
export class RefundsRepository {
  constructor(private readonly store: Store) {}

  /** A payment's refunds, the oldest first: in the order of their numbers, for replicas' clocks may differ. */
  async ofPayment(paymentId: string): Promise<OperationRecord[]> {
    const rows = await this.refunds(paymentId)
      .orderBy(sql`length(refund_reference)`)
      .orderBy('refund_reference')
      .execute();
    return rows.map((row) => decodeRow(operations, row as StoredRow));
  }

  async find(paymentId: string, id: string): Promise<OperationRecord | undefined> {
    const row = await this.refunds(paymentId).where('id', '=', id).executeTakeFirst();
    return row && decodeRow(operations, row as StoredRow);
  }

  private refunds(paymentId: string) {
    return this.store.db
      .selectFrom('operations')
      .selectAll()
      .where('payment_id', '=', paymentId)
      .where('type', '=', 'refund');
  }
}
