import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { columnsOf, decodeRow, type RowOf, type StoredRow } from '../../store/table.js';
import {
  type PaymentRecord,
  payments,
  RECORDED_METHODS,
  type RecordedMethod,
  type SessionRecord,
  type TimelineRecord,
} from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { readLines } from '../../store/timeline-lines.js';
import { merchantReferences } from './gateway-references.js';
import { REPORTED } from './payment-update.js';
import { listPayments, type PaymentCursor, type PaymentFilter } from './payment-list.js';

/** Payments of one method whose status check is worth the same. */
export interface CheckKind {
  worth: number;
  method: RecordedMethod;
  /** Only those that somebody waits for, or only the others; all where it is left out. */
  awaited?: boolean;
}

/** A payment whose status check is planned. */
export interface DueCheck extends Required<CheckKind> {
  id: string;
  nextStatusCheckAt: number;
}

/** How many payments of a session are shown: its newest. */
export const SHOWN_PAYMENTS = 20;

/** A payment that should have been asked about by now. */
export type OverduePayment = PaymentRecord & { readonly nextStatusCheckAt: number };

/** Without the timeline, which only its own question asks for. */
const COLUMNS = columnsOf(payments) as (keyof RowOf<PaymentRecord>)[];

/** 1 where somebody waits for the check that a notification or a report asks for: its payment is still open, or a report claims it. */
const AWAITED = sql`case when status in ('processing', 'requires_action', 'authorized')
  or notification_claims like ${sql.lit(`%"${REPORTED}"%`)} then 1 else 0 end`;

const toPayment = (row: object): PaymentRecord => decodeRow(payments, row as StoredRow);

/** Reads payments. Only the payment writer writes them. */
@Injectable()
export class PaymentsRepository {
  constructor(private readonly store: Store) {}

  async find(id: string): Promise<PaymentRecord | undefined> {
    const row = await this.store.db
      .selectFrom('payments')
      .select(COLUMNS)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toPayment(row);
  }

  /** By what the gateway calls it. The merchant's reference is part of that, and of the index. */
  async findByGatewayReference(gatewayReference: string): Promise<PaymentRecord | undefined> {
    const references = merchantReferences(gatewayReference);
    if (references.length === 0) return undefined;
    const row = await this.store.db
      .selectFrom('payments')
      .select(COLUMNS)
      .where('reference', 'in', references)
      .where('gateway_reference', '=', gatewayReference)
      .executeTakeFirst();
    return row && toPayment(row);
  }

  /** The newest payments of a session, at most {@link SHOWN_PAYMENTS}, the oldest of them first. */
  async ofSession({ id, reference }: Pick<SessionRecord, 'id' | 'reference'>): Promise<PaymentRecord[]> {
    const rows = await this.store.db
      .selectFrom('payments')
      .select(COLUMNS)
      .where('reference', '=', reference)
      .where('session_id', '=', id)
      // An expression, so that no database goes through all payments by their ids for it.
      .orderBy(sql`id || ''`, 'desc')
      .limit(SHOWN_PAYMENTS)
      .execute();
    return rows.map(toPayment).reverse();
  }

  /** How many payments a session has, counted up to `most`. */
  async countOfSession(
    { id, reference }: Pick<SessionRecord, 'id' | 'reference'>,
    most: number,
  ): Promise<number> {
    const rows = await this.store.db
      .selectFrom('payments')
      .select('gateway_reference')
      .where('reference', '=', reference)
      .where('session_id', '=', id)
      .limit(most)
      .execute();
    return rows.length;
  }

  /** Payments of a reference that count as closed and not paid, the newest first. */
  async closedUnpaid(reference: string, limit: number): Promise<string[]> {
    const rows = await this.store.db
      .selectFrom('payments')
      .select('id')
      .where('reference', '=', reference)
      .where('status', 'in', ['failed', 'canceled', 'expired'])
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** One page, newest first. */
  list(filter: PaymentFilter, limit: number, after?: PaymentCursor): Promise<PaymentRecord[]> {
    return listPayments(this.store, filter, limit, after);
  }

  /** A payment's timeline, the oldest entry first. */
  async timeline(paymentId: string): Promise<TimelineRecord[]> {
    const row = await this.store.db
      .selectFrom('payments')
      .select(['timeline', 'timeline_sequence'])
      .where('id', '=', paymentId)
      .executeTakeFirst();
    if (!row) return [];
    const recent = readLines(paymentId, row.timeline, row.timeline_sequence);
    const first = row.timeline_sequence - recent.length + 1;
    if (first <= 1) return recent;
    const pages = await this.store.db
      .selectFrom('timeline_pages')
      .selectAll()
      .where('payment_id', '=', paymentId)
      .where('last_sequence', '<', first)
      .orderBy('last_sequence')
      .execute();
    return [...pages.flatMap((page) => readLines(paymentId, page.entries, page.last_sequence)), ...recent];
  }

  /**
   * Payments whose status check is due, of each kind the longest overdue first, at most `limit`. One question to the
   * store, each part of it by its own stretch of the index.
   */
  async dueForStatusCheck(kinds: readonly CheckKind[], now: number, limit: number): Promise<DueCheck[]> {
    return this.checks(kinds, sql`<= ${now}`, limit);
  }

  /**
   * Payments of these kinds that are not due before `later`. Where the schedule never plans so far ahead, the clock was
   * set back after they were planned.
   */
  async notDueBefore(kinds: readonly CheckKind[], later: number, limit: number): Promise<DueCheck[]> {
    return this.checks(kinds, sql`> ${later}`, limit);
  }

  private async checks(
    kinds: readonly CheckKind[],
    planned: RawBuilder<unknown>,
    limit: number,
  ): Promise<DueCheck[]> {
    if (kinds.length === 0) return [];
    const parts = kinds.map(
      ({ worth, method, awaited }) => sql`
        select * from (
          select id, status_check_worth, method, next_status_check_at, ${AWAITED} as awaited from payments
          where status_check_worth = ${worth} and method = ${method} and next_status_check_at ${planned}
          ${awaited === undefined ? sql`` : sql`and ${AWAITED} = ${sql.lit(awaited ? 1 : 0)}`}
          order by next_status_check_at limit ${limit}) as kind`,
    );
    const { rows } = await sql<Record<string, string | number>>`${sql.join(parts, sql` union all `)}`.execute(
      this.store.db,
    );
    return rows.map((row) => ({
      id: String(row['id']),
      worth: Number(row['status_check_worth']),
      method: row['method'] as RecordedMethod,
      awaited: Number(row['awaited']) === 1,
      nextStatusCheckAt: Number(row['next_status_check_at']),
    }));
  }

  /**
   * Payments of one kind that should have been asked about before a time, the longest overdue first, at most `limit`: what is behind
   * the last one of the page before.
   */
  async overdueSince(
    { worth, method }: CheckKind,
    before: number,
    limit: number,
    last?: Pick<OverduePayment, 'id' | 'nextStatusCheckAt'>,
  ): Promise<OverduePayment[]> {
    const behind = last?.nextStatusCheckAt ?? 0;
    const rows = await this.store.db
      .selectFrom('payments')
      .select(COLUMNS)
      .where('status_check_worth', '=', worth)
      .where('method', '=', method)
      .where('next_status_check_at', '<', before)
      .where('next_status_check_at', '>=', behind)
      .where((eb) => eb.or([eb('next_status_check_at', '>', behind), eb('id', '>', last?.id ?? '')]))
      .orderBy('next_status_check_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map((row) => toPayment(row) as OverduePayment);
  }

  /** How many status checks are due, by these worths. */
  async dueByWorth(worths: readonly number[], now: number): Promise<Map<number, number>> {
    const rows = await this.store.db
      .selectFrom('payments')
      .select(['status_check_worth', (eb) => eb.fn.countAll<number>().as('count')])
      .where('status_check_worth', 'in', [...worths])
      .where('method', 'in', [...RECORDED_METHODS])
      .where('next_status_check_at', '<=', now)
      .groupBy('status_check_worth')
      .execute();
    return new Map(rows.map((row) => [Number(row.status_check_worth), Number(row.count)]));
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

  /** Has the payments of one worth be asked about now that are planned for later, but those that are being asked about. */
  async hurry({ worth, awaited }: Omit<CheckKind, 'method'>, now: number): Promise<void> {
    await this.store.db
      .updateTable('payments')
      .set({ next_status_check_at: now })
      .where('status_check_worth', '=', worth)
      .where('next_status_check_at', '>', now)
      .where('lease_owner', 'is', null)
      .$if(awaited !== undefined, (query) => query.where(sql`${AWAITED}`, '=', sql.lit(awaited ? 1 : 0)))
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
