import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { NotificationRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import { encodeRow, notifications } from '../store/tables.js';
import type { RowOf } from '../store/database-types.js';

/** Who wants to be asked about because of a notification, and since when. */
export interface NotifiedPayment {
  paymentId: string;
  receivedAt: number;
}

/** A notification that waits, as it was when it was looked at. */
export interface WaitingNotification {
  id: string;
  repeats: number;
}

/** The inbox: notifications as they came in, scrubbed, until the gateway has been asked about what they name. */
@Injectable()
export class NotificationsRepository {
  constructor(private readonly store: Store) {}

  /** Stores a notification. The same content again is counted, and wants the gateway to be asked again. */
  async keep(notification: NotificationRecord): Promise<void> {
    await this.store.db
      .insertInto('notifications')
      .values(encodeRow(notifications, notification) as RowOf<NotificationRecord>)
      .onConflict((conflict) =>
        conflict.column('digest').doUpdateSet((eb) => ({
          repeats: eb('notifications.repeats', '+', 1),
          // A repeat that comes while the gateway is being asked is not followed up by that question.
          received_at: notification.receivedAt,
          status: notification.status,
          payment_id: notification.paymentId,
        })),
      )
      .execute();
  }

  /** How many notifications are kept that name no payment of ours. */
  async countUnmatched(): Promise<number> {
    return this.count(sql<boolean>`status = 'unmatched'`);
  }

  /** How many are kept about one payment. */
  async countOf(paymentId: string): Promise<number> {
    return this.count(sql<boolean>`payment_id = ${paymentId}`);
  }

  /** Payments whose notifications have not been followed by a clear answer yet, the oldest first. */
  async open(limit: number): Promise<NotifiedPayment[]> {
    const rows = await this.store.db
      .selectFrom('notifications')
      .select((eb) => ['payment_id', eb.fn.min('received_at').as('received_at')])
      .where('status', '=', 'received')
      .where('payment_id', 'is not', null)
      .groupBy('payment_id')
      .orderBy('received_at')
      .limit(limit)
      .execute();
    return rows.flatMap(({ payment_id: paymentId, received_at: receivedAt }) =>
      paymentId === null ? [] : [{ paymentId, receivedAt: Number(receivedAt) }],
    );
  }

  /** What of a payment's notifications waits now. Known by their repeats, since clocks may be set back. */
  async waitingOf(paymentId: string): Promise<WaitingNotification[]> {
    return this.store.db
      .selectFrom('notifications')
      .select(['id', 'repeats'])
      .where('payment_id', '=', paymentId)
      .where('status', '=', 'received')
      .execute();
  }

  /** Marks notifications as followed up, but for those that have come again since they were looked at. */
  async markApplied(waiting: readonly WaitingNotification[], now: number): Promise<void> {
    for (const { id, repeats } of waiting) {
      await this.store.db
        .updateTable('notifications')
        .set({ status: 'applied', processed_at: now })
        .where('id', '=', id)
        .where('repeats', '=', repeats)
        .execute();
    }
  }

  private async count(condition: ReturnType<typeof sql<boolean>>): Promise<number> {
    const row = await this.store.db
      .selectFrom('notifications')
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .where(condition)
      .executeTakeFirst();
    return Number(row?.kept ?? 0);
  }
}
