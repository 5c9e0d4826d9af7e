import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { encodeRow, type RowOf } from '../store/table.js';
import { type NotificationRecord, notifications } from '../store/schema.js';
import { Store } from '../store/store.js';
import { MAX_PER_PAYMENT } from './inbox-limits.js';

/** A waiting notification as it was when it was read. */
export interface WaitingNotification {
  id: string;
  /** Of its content. */
  digest: string;
  repeats: number;
  receivedAt: number;
  /** Whether the same content was handed over to the schedule before. */
  handedOver: boolean;
}

/** Literals, because partial indexes are not used with parameters. */
const RECEIVED = sql.lit<NotificationRecord['status']>('received');
const UNMATCHED = sql.lit<NotificationRecord['status']>('unmatched');
/** What may be removed: nothing that was not handed over to the schedule yet. */
const FINISHED = [sql.lit<NotificationRecord['status']>('applied'), UNMATCHED];

/** One payment's notifications: those that were not handed over yet first, then the newest. */
const BY_WORTH = sql`case when status = ${RECEIVED} then 0 else 1 end, received_at desc, id desc`;

/**
 * The inbox. It keeps notifications, scrubbed, at least until the schedule knows of them.
 */
@Injectable()
export class NotificationsRepository {
  constructor(private readonly store: Store) {}

  /**
   * Stores notifications in one commit. A repeated content is counted and asks for another status check. No two of one
   * call may have the same digest.
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
          // A repeat that arrives during a status check asks for another one.
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
   * Enforces the limits of payments: the newest notifications of each are kept, and of these the newest `contentBytes`
   * of content; the others lose theirs. A waiting one is removed only if as many others of its payment wait, so that
   * the status check happens in any case. Returns how many were removed.
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

  /**
   * Removes the oldest notifications without a payment of ours until `keep` are left. Returns how many were removed.
   */
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
   * Removes notifications that came before `before` and wait for nothing, at most `limit` of each kind. Returns how
   * many. One that is repeated meanwhile waits again, and stays.
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

  /**
   * Payments with notifications from before `before` that were not handed over to the schedule, in the order of their
   * ids, after `after`.
   */
  async waitingPayments(after: string, before: number, limit: number): Promise<string[]> {
    const rows = await this.store.db
      .selectFrom('notifications')
      .select('payment_id')
      .distinct()
      .where('status', '=', RECEIVED)
      .where('payment_id', '>', after)
      .where('received_at', '<=', before)
      .orderBy('payment_id')
      .limit(limit)
      .execute();
    return rows.flatMap(({ payment_id: paymentId }) => paymentId ?? []);
  }

  /**
   * The waiting notifications of a payment, with their numbers of repeats: times do not tell, since clocks may be set
   * back.
   */
  async waitingOf(paymentId: string): Promise<WaitingNotification[]> {
    const rows = await this.store.db
      .selectFrom('notifications')
      .select(['id', 'digest', 'repeats', 'received_at', 'processed_at'])
      .where('payment_id', '=', paymentId)
      .where('status', '=', 'received')
      .execute();
    return rows.map(({ id, digest, repeats, received_at: receivedAt, processed_at: processedAt }) => ({
      ...{ id, digest, repeats, receivedAt },
      handedOver: processedAt !== null,
    }));
  }

  /** Marks a payment's notifications as handed over, except those that were repeated since they were read. */
  async markApplied(
    paymentId: string,
    waiting: readonly Pick<WaitingNotification, 'id' | 'repeats'>[],
    now: number,
  ): Promise<void> {
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
    // Compared by repeats too: one that was repeated just now waits for another status check.
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
