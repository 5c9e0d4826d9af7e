import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { merchantReferences } from '../../payments/state/gateway-references.js';
import type { MovementKind, MovementRecord, PaymentStatus, RecordedMethod } from '../../store/schema.js';
import type { StoredRow } from '../../store/table.js';
import { Store } from '../../store/store.js';
import type { KnownMoney, KnownMovement, KnownPayment, KnownRefund } from '../match/known-money.js';
import { rowsWith } from './json-rows.js';

/** A place in the order of paid payments. */
export interface PaidPlace {
  readonly at: number;
  readonly id: string;
}

/** A place in the order in which movements of a currency happened. */
export interface MovedPlace {
  readonly at: number;
  readonly id: string;
}

const PAYMENT = sql.raw(
  'p.id, p.reference, p.gateway_reference, p.status, p.currency, p.method, p.card_brand',
);

/** Reads payments and their movements as reports are held against them: few columns of many rows, always by an index. */
@Injectable()
export class KnownMoneyRepository {
  constructor(private readonly store: Store) {}

  /** What is known of these payments, by the gateway's references. `named`: those whose refunds are asked for by name. */
  async byGatewayReference(
    gatewayReferences: readonly string[],
    named: ReadonlySet<string>,
  ): Promise<Map<string, KnownMoney>> {
    const wanted = new Set(gatewayReferences);
    const found = await this.paymentsOf([...new Set(gatewayReferences.flatMap(merchantReferences))]);
    const own = found.filter(({ gatewayReference }) => wanted.has(gatewayReference));
    const money = await this.moneyOf(own, named);
    return new Map(money.map((one) => [one.payment.gatewayReference, one]));
  }

  /** The currencies of these payments, by the gateway's references. */
  async currenciesOf(gatewayReferences: readonly string[]): Promise<Map<string, string>> {
    const found = await this.paymentsOf([...new Set(gatewayReferences.flatMap(merchantReferences))]);
    return new Map(found.map(({ gatewayReference, currency }) => [gatewayReference, currency]));
  }

  /** What is known of all payments of these merchant's references, each reference's oldest payment first. */
  async ofOrders(references: readonly string[]): Promise<Map<string, KnownMoney[]>> {
    const money = await this.moneyOf(await this.paymentsOf(references));
    return Map.groupBy(money, ({ payment }) => payment.reference);
  }

  /** What is known of payments that were paid after a place and until a time, in that order, at most `limit`. */
  async paidBetween(
    { at, id }: PaidPlace,
    until: number,
    limit: number,
  ): Promise<{ money: KnownMoney[]; next: PaidPlace | undefined }> {
    // The embedded store would read and sort all that were ever paid for each page: it takes the index by status for narrower.
    const byWhenPaid = this.store.kind === 'embedded' ? sql`indexed by payments_paid` : sql``;
    const { rows } = await sql<StoredRow>`select ${PAYMENT}, p.closed_at from payments p ${byWhenPaid}
      where p.status = 'succeeded' and (p.closed_at, p.id) > (${at}, ${id}) and p.closed_at <= ${until}
      order by p.closed_at, p.id limit ${limit}`.execute(this.store.db);
    const last = rows.length < limit ? undefined : rows.at(-1);
    return {
      money: await this.moneyOf(rows.map(toPayment)),
      next: last && { at: Number(last['closed_at']), id: String(last['id']) },
    };
  }

  /** The next movements of a currency after a place and before a time, at most `limit`. */
  async movedFrom(
    currency: string,
    { at, id }: MovedPlace,
    { before, limit }: { before: number; limit: number },
  ): Promise<(MovedPlace & { readonly reference: string })[]> {
    const { rows } = await sql<StoredRow>`select at, id, gateway_reference from movements
      where currency = ${currency} and (at, id) > (${at}, ${id}) and at < ${before}
      order by at, id limit ${limit}`.execute(this.store.db);
    return rows.map((row) => ({
      at: Number(row['at']),
      id: text(row, 'id'),
      reference: text(row, 'gateway_reference'),
    }));
  }

  /** Movements with an id after this one, in their order, at most `limit`. */
  async movedAfter(
    id: string,
    limit: number,
  ): Promise<Pick<MovementRecord, 'id' | 'reference' | 'gatewayReference' | 'at' | 'recordedAt'>[]> {
    const rows = await this.store.db
      .selectFrom('movements')
      .select(['id', 'reference', 'gateway_reference', 'at', 'recorded_at'])
      .where('id', '>', id)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      ...{ id: row.id, reference: row.reference, gatewayReference: row.gateway_reference },
      ...{ at: Number(row.at), recordedAt: Number(row.recorded_at) },
    }));
  }

  private async paymentsOf(references: readonly string[]): Promise<KnownPayment[]> {
    if (references.length === 0) return [];
    const found = rowsWith(this.store, references, { table: 'payments', as: 'p', column: 'reference' });
    return (await this.rows(sql`select ${PAYMENT} from ${found} order by p.id`)).map(toPayment);
  }

  private async moneyOf(
    payments: readonly KnownPayment[],
    named: ReadonlySet<string> = new Set(),
  ): Promise<KnownMoney[]> {
    if (payments.length === 0) return [];
    const found = rowsWith(
      this.store,
      payments.map(({ id }) => id),
      { table: 'movements', as: 'm', column: 'payment_id' },
    );
    const moved = await this
      .rows(sql`select m.id, m.payment_id, m.kind, m.direction, m.amount, m.at, m.transaction_ref, m.refund_id,
        (select o.refund_reference from operations o where o.payment_id = m.payment_id and o.id = m.refund_id) as refund_ref
      from ${found} order by m.id`);
    const asked = await this.refundsOf(
      payments.filter(({ gatewayReference }) => named.has(gatewayReference)),
    );
    const movements = Map.groupBy(moved, (row) => String(row['payment_id']));
    const refundsOf = Map.groupBy(asked, (row) => String(row['payment_id']));
    return payments.map((payment) => ({
      payment,
      movements: (movements.get(payment.id) ?? []).map(toMovement),
      refunds: (refundsOf.get(payment.id) ?? []).map(toRefund),
    }));
  }

  /** The refunds that were asked for of these payments, whatever became of them. */
  private async refundsOf(payments: readonly KnownPayment[]): Promise<StoredRow[]> {
    if (payments.length === 0) return [];
    const found = rowsWith(
      this.store,
      payments.map(({ id }) => id),
      { table: 'operations', as: 'o', column: 'payment_id' },
    );
    return this.rows(
      sql`select o.payment_id, o.refund_reference, o.amount from ${found} where o.type = 'refund' and o.refund_reference is not null`,
    );
  }

  private async rows(query: RawBuilder<unknown>): Promise<StoredRow[]> {
    const { rows } = await query.execute(this.store.db);
    return rows as StoredRow[];
  }
}

const text = (row: StoredRow, column: string): string => String(row[column]);
const orNull = (row: StoredRow, column: string): string | null => (row[column] ?? null) as string | null;

function toPayment(row: StoredRow): KnownPayment {
  return {
    id: text(row, 'id'),
    reference: text(row, 'reference'),
    gatewayReference: text(row, 'gateway_reference'),
    status: text(row, 'status') as PaymentStatus,
    currency: text(row, 'currency'),
    method: text(row, 'method') as RecordedMethod,
    cardBrand: orNull(row, 'card_brand'),
  };
}

function toMovement(row: StoredRow): KnownMovement {
  return {
    id: text(row, 'id'),
    kind: text(row, 'kind') as MovementKind,
    direction: text(row, 'direction') as 'in' | 'out',
    amount: BigInt(text(row, 'amount')),
    at: Number(row['at']),
    transactionRef: orNull(row, 'transaction_ref'),
    refundId: orNull(row, 'refund_id'),
    refundRef: orNull(row, 'refund_ref'),
  };
}

function toRefund(row: StoredRow): KnownRefund {
  return { refundRef: text(row, 'refund_reference'), amount: BigInt(row['amount'] ?? 0) };
}
