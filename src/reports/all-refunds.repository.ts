import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import type { TimeRange } from '../payments/api/payment-filter.js';
import type { OperationStatus } from '../store/schema.js';
import { Store } from '../store/store.js';
import { WrittenTexts } from '../store/written-texts.js';
import type { Place } from './movements.repository.js';

/** What became of a refund. */
export type RefundStatus = 'processing' | 'succeeded' | 'failed';

/** A refund, whoever made it. */
export interface AnyRefund {
  id: string;
  paymentId: string;
  reference: string;
  /** Minor units. */
  amount: bigint;
  currency: string;
  status: RefundStatus;
  /** `gateway`: made at the gateway's own dashboard. */
  source: 'merchant' | 'gateway';
  reason: string | null;
  /** Who asked for it; `gateway` where nobody did here. */
  actor: string;
  /** When it was made, or is known to have been. */
  at: number;
}

/** Which refunds to list. What is absent leaves all in. */
interface RefundFilter extends TimeRange {
  status?: RefundStatus | undefined;
}

const OPERATION_STATUSES: Readonly<Record<RefundStatus, readonly OperationStatus[]>> = {
  processing: ['intended', 'unknown'],
  succeeded: ['confirmed'],
  failed: ['refused'],
};
const STATUS_OF: Readonly<Record<string, RefundStatus>> = Object.fromEntries(
  Object.entries(OPERATION_STATUSES).flatMap(([status, all]) => all.map((one) => [one, status])),
) as Record<OperationStatus, RefundStatus>;

/**
 * Whether an entry `dashboard` of what the gateway gave back by itself has been taken back: it was one of our refunds, or none. Of equal ones the newest
 * goes first.
 */
const equal = (kind: string): string => `select count(*) from movements as other
  where other.payment_id = dashboard.payment_id and other.refund_id is null and other.kind = '${kind}'
    and other.amount = dashboard.amount`;
const TAKEN_BACK = sql.raw(
  `(${equal('refund')} and (other.at, other.id) >= (dashboard.at, dashboard.id)) <= (${equal('refund_reversal')})`,
);

interface Row {
  id: string;
  payment_id: string;
  amount: string;
  status: string;
  text_id: string | null;
  reason: string | null;
  actor: string;
  at: number;
}

/** Reads the refunds of all payments: those that were made here, and those of the gateway's dashboard, which only the ledger knows. */
@Injectable()
export class AllRefundsRepository {
  constructor(
    private readonly store: Store,
    private readonly texts: WrittenTexts,
  ) {}

  /** At most `limit` refunds before a place, the newest first. */
  async list({ from, to, status }: RefundFilter, limit: number, before?: Place): Promise<AnyRefund[]> {
    const within = (at: string): RawBuilder<unknown> => {
      const conditions = [
        sql`1 = 1`,
        ...(from === undefined ? [] : [sql`${sql.ref(at)} >= ${from}`]),
        ...(to === undefined ? [] : [sql`${sql.ref(at)} < ${to}`]),
        ...(before === undefined ? [] : [sql`(${sql.ref(at)}, id) < (${before.at}, ${before.id})`]),
      ];
      return sql.join(conditions, sql` and `);
    };
    const statuses =
      status === undefined ? Object.values(OPERATION_STATUSES).flat() : OPERATION_STATUSES[status];
    const made = statuses.map(
      (one) => sql`
        select * from (select id, payment_id, amount, status, text_id, reason, actor, created_at as at from operations
          where type = 'refund' and status = ${one} and ${within('created_at')}
          order by created_at desc, id desc limit ${limit}) as made`,
    );
    const parts = status === 'processing' ? made : [...made, this.dashboard(status, within('at'), limit)];
    const { rows } = await sql<Row>`
      select refunds.*, payments.reference, payments.currency
      from (select * from (${sql.join(parts, sql` union all `)}) as parts order by at desc, id desc limit ${limit}) as refunds
      join payments on payments.id = refunds.payment_id order by refunds.at desc, refunds.id desc`.execute(
      this.store.db,
    );
    const texts = await this.texts.read(rows.flatMap(({ text_id: id }) => id ?? []));
    return (rows as (Row & { reference: string; currency: string })[]).map((row) => {
      const isOurs = row.status in STATUS_OF;
      return {
        id: row.id,
        paymentId: row.payment_id,
        reference: row.reference,
        amount: BigInt(row.amount),
        currency: row.currency,
        status: STATUS_OF[row.status] ?? (row.status === 'taken-back' ? 'failed' : 'succeeded'),
        source: isOurs ? 'merchant' : 'gateway',
        reason: row.text_id === null ? row.reason : (texts.get(row.text_id) ?? null),
        actor: row.actor,
        at: Number(row.at),
      };
    });
  }

  private dashboard(
    status: RefundStatus | undefined,
    within: RawBuilder<unknown>,
    limit: number,
  ): RawBuilder<unknown> {
    const only =
      status === undefined
        ? sql``
        : status === 'failed'
          ? sql`and ${TAKEN_BACK}`
          : sql`and not ${TAKEN_BACK}`;
    return sql`
      select * from (
        select id, payment_id, amount, case when ${TAKEN_BACK} then 'taken-back' else 'given-back' end as status,
          text_id, null as reason, actor, at
        from movements as dashboard
        where kind = 'refund' and refund_id is null and ${within} ${only}
        order by at desc, id desc limit ${limit}) as dashboard_refunds`;
  }
}
