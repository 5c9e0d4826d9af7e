import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { RowOf } from '../store/database-types.js';
import type { NotificationRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import { encodeRow, notifications } from '../store/tables.js';
import { MAX_PER_PAYMENT } from './inbox-limits.js';

/** A notification that waits, as it was when it was looked at. */
export interface WaitingNotification {
  id: string;
  repeats: number;
  receivedAt: number;
}

/** Partial indexes are found by words that stand in the statement, not by parameters. */
const RECEIVED = sql.lit<NotificationRecord['status']>('received');
const UNMATCHED = sql.lit<NotificationRecord['status']>('unmatched');
/** What may be removed: nothing that still waits for its question. */
const FINISHED = [sql.lit<NotificationRecord['status']>('applied'), UNMATCHED];

/** One payment's notifications, what still waits first, then the newest. */
const BY_WORTH = sql`case when status = ${RECEIVED} then 0 else 1 end, received_at desc, id desc`;

/** The inbox: notifications as they came in, scrubbed, until the gateway has been asked about what they name. */
@Injectable()
export class NotificationsRepository {
  constructor(private readonly store: Store) {}

  /**
   * Stores notifications, all in one commit. The same content again is counted, and wants the gateway to be asked again.
   * No two of one call may have the same digest.
   */
  async keep(arrived: readonly NotificationRecord[]): Promise<void> {
    if (arrived.length === 0) return;
    await this.store.db
      .insertInto('notifications')
      .values(
        arrived.map((notification) => encodeRow(notifications, notification) as RowOf<NotificationRecord>),
      )
      .onConflict((conflict) =>
        conflict.column('digest').doUpdateSet((eb) => ({
          // A repeat that comes while the gateway is being asked is not followed up by that question.
          repeats: sql<number>`notifications.repeats + 1 + excluded.repeats`,
          received_at: eb.ref('excluded.received_at'),
          status: eb.ref('excluded.status'),
          reference: eb.ref('excluded.reference'),
          payment_id: eb.ref('excluded.payment_id'),
          body: eb.ref('excluded.body'),
        })),
      )
      .execute();
  }

  /**
   * Holds payments to their limits: of each the newest notifications are kept, and of these `contentBytes` of contents, the newest; of
   * the others that they came. One that waits goes only where as many others of its payment wait, so that the question that they wait
   * for is asked in any case. Returns how many were removed.
   */
  async prune(paymentIds: readonly string[], contentBytes: number): Promise<number> {
    if (paymentIds.length === 0) return 0;
    const overfull = await this.store.db
      .selectFrom('notifications')
      .select(['payment_id', (eb) => eb.fn.countAll<number>().as('kept')])
      .where('payment_id', 'in', paymentIds)
      .groupBy('payment_id')
      .having((eb) =>
        eb.or([
          eb(eb.fn.countAll(), '>', MAX_PER_PAYMENT),
          eb(sql<number>`sum(octet_length(body))`, '>', contentBytes),
        ]),
      )
      .execute();
    const crowded = overfull.filter(({ kept }) => Number(kept) > MAX_PER_PAYMENT);
    const removed = await this.removeOldestOf(crowded.flatMap(({ payment_id: id }) => id ?? []));
    await this.emptyOldestOf(
      overfull.flatMap(({ payment_id: id }) => id ?? []),
      contentBytes,
    );
    return removed;
  }

  /** Removes the oldest of those that name no payment of ours until `keep` are left. Returns how many went. */
  async trimUnmatched(keep: number): Promise<number> {
    const { kept } = await this.store.db
      .selectFrom('notifications')
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .where('status', '=', UNMATCHED)
      .executeTakeFirstOrThrow();
    const excess = Number(kept) - keep;
    if (excess <= 0) return 0;
    const { numAffectedRows } = await sql`
      delete from notifications where status = ${UNMATCHED} and id in (
        select id from notifications where status = ${UNMATCHED} order by received_at, id limit ${excess})
    `.execute(this.store.db);
    return Number(numAffectedRows ?? 0n);
  }

  /**
   * Removes notifications that came before `before` and wait for nothing, at most `limit` of each kind. Returns how many went.
   * One that comes again meanwhile waits again, and stays.
   */
  async removeOld(before: number, limit: number): Promise<number> {
    let removed = 0;
    for (const status of FINISHED) {
      const { numAffectedRows } = await sql`
        delete from notifications where status = ${status} and received_at < ${before} and id in (
          select id from notifications where status = ${status} and received_at < ${before}
          order by received_at limit ${limit})
      `.execute(this.store.db);
      removed += Number(numAffectedRows ?? 0n);
    }
    return removed;
  }

  /** Payments whose notifications have not been followed by a clear answer yet, in the order of their ids, from `after` on. */
  async waitingPayments(after: string, limit: number): Promise<string[]> {
    const rows = await this.store.db
      .selectFrom('notifications')
      .select('payment_id')
      .distinct()
      .where('status', '=', RECEIVED)
      .where('payment_id', '>', after)
      .orderBy('payment_id')
      .limit(limit)
      .execute();
    return rows.flatMap(({ payment_id: paymentId }) => paymentId ?? []);
  }

  /** What of a payment's notifications waits now. Known by their repeats, since clocks may be set back. */
  async waitingOf(paymentId: string): Promise<WaitingNotification[]> {
    const rows = await this.store.db
      .selectFrom('notifications')
      .select(['id', 'repeats', 'received_at'])
      .where('payment_id', '=', paymentId)
      .where('status', '=', 'received')
      .execute();
    return rows.map(({ id, repeats, received_at: receivedAt }) => ({ id, repeats, receivedAt }));
  }

  /** Marks a payment's notifications as followed up, but for those that have come again since they were looked at. */
  async markApplied(paymentId: string, waiting: readonly WaitingNotification[], now: number): Promise<void> {
    if (waiting.length === 0) return;
    await this.store.db
      .updateTable('notifications')
      .set({ status: 'applied', processed_at: now })
      .where('payment_id', '=', paymentId)
      .where((eb) => eb.or(waiting.map(({ id, repeats }) => eb.and({ id, repeats }))))
      .execute();
  }

  private async removeOldestOf(paymentIds: readonly string[]): Promise<number> {
    if (paymentIds.length === 0) return 0;
    // By its repeats too: one that has come again in this moment waits for a question of its own.
    const { numAffectedRows } = await sql`
      delete from notifications where (id, repeats) in (
        select id, repeats from (
          select id, repeats, row_number() over (partition by payment_id order by ${BY_WORTH}) as place
          from notifications where payment_id in (${sql.join(paymentIds)})) as ranked
        where place > ${MAX_PER_PAYMENT})
    `.execute(this.store.db);
    return Number(numAffectedRows ?? 0n);
  }

  private async emptyOldestOf(paymentIds: readonly string[], contentBytes: number): Promise<void> {
    if (paymentIds.length === 0) return;
    await sql`
      update notifications set body = '' where body <> '' and id in (
        select id from (
          select id, sum(octet_length(body)) over (
            partition by payment_id order by ${BY_WORTH} rows unbounded preceding) as filled
          from notifications where payment_id in (${sql.join(paymentIds)})) as ranked
        where filled > ${contentBytes})
    `.execute(this.store.db);
  }
}
