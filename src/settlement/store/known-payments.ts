import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { merchantReferences } from '../../payments/state/gateway-references.js';
import type { StoredValue } from '../../store/table.js';
import type { PaymentStatus } from '../../store/schema.js';
import { Store } from '../../store/store.js';

/** What a report is held against. Amounts are minor units. */
export interface KnownPayment {
  readonly id: string;
  readonly reference: string;
  readonly gatewayReference: string;
  readonly status: PaymentStatus;
  readonly amount: bigint;
  readonly currency: string;
  readonly captured: bigint | null;
  readonly refunded: bigint | null;
  readonly disputed: boolean;
  /** Of a disputed one; null where nobody said how much. */
  readonly chargedBack: bigint | null;
  readonly duplicateOf: string | null;
  /** Of a paid one: when it was paid. */
  readonly closedAt: number | null;
}

/** A place in the order of paid payments. */
export interface PaidPlace {
  readonly at: number;
  readonly id: string;
}

const COLUMNS = sql.raw(
  `p.id, p.reference, p.gateway_reference, p.status, p.amount, p.currency, p.amount_captured, p.amount_refunded,
   p.disputed, p.amount_disputed, p.duplicate_of, p.closed_at`,
);

/** Reads payments as a comparison needs them: few columns of many rows, always by an index. */
@Injectable()
export class KnownPayments {
  constructor(private readonly store: Store) {}

  /** The payments with these gateway references, by them. */
  async byGatewayReference(gatewayReferences: readonly string[]): Promise<Map<string, KnownPayment>> {
    const wanted = new Set(gatewayReferences);
    const found = await this.ofReferences([...new Set(gatewayReferences.flatMap(merchantReferences))]);
    return new Map(
      found
        .filter(({ gatewayReference }) => wanted.has(gatewayReference))
        .map((payment) => [payment.gatewayReference, payment]),
    );
  }

  /** All payments of these merchant's references, each reference's oldest first. */
  async ofReferences(references: readonly string[]): Promise<KnownPayment[]> {
    if (references.length === 0) return [];
    const query =
      this.store.kind === 'embedded'
        ? sql`select ${COLUMNS} from json_each(${JSON.stringify(references)}) wanted
            cross join payments p on p.reference = wanted.value order by p.id`
        : sql`select ${COLUMNS} from payments p where p.reference = any(${references}::text[]) order by p.id`;
    const { rows } = await query.execute(this.store.db);
    return rows.map(toKnownPayment);
  }

  /** Payments that were paid after a place and until a time, in that order, at most `limit`. */
  async paidBetween({ at, id }: PaidPlace, until: number, limit: number): Promise<KnownPayment[]> {
    // The embedded store would read and sort all that were ever paid for each page: it takes the index by status for narrower.
    const byWhenPaid = this.store.kind === 'embedded' ? sql`indexed by payments_paid` : sql``;
    const { rows } = await sql`select ${COLUMNS} from payments p ${byWhenPaid}
      where p.status = 'succeeded' and (p.closed_at, p.id) > (${at}, ${id}) and p.closed_at <= ${until}
      order by p.closed_at, p.id limit ${limit}`.execute(this.store.db);
    return rows.map(toKnownPayment);
  }
}

function toKnownPayment(found: unknown): KnownPayment {
  const row = found as Readonly<Record<string, StoredValue>>;
  const text = (column: string): string => String(row[column]);
  const amount = (column: string): bigint | null => {
    const value = row[column] ?? null;
    return value === null ? null : BigInt(value);
  };
  return {
    id: text('id'),
    reference: text('reference'),
    gatewayReference: text('gateway_reference'),
    status: text('status') as PaymentStatus,
    amount: amount('amount') ?? 0n,
    currency: text('currency'),
    captured: amount('amount_captured'),
    refunded: amount('amount_refunded'),
    disputed: row['disputed'] === 1,
    chargedBack: amount('amount_disputed'),
    duplicateOf: row['duplicate_of'] as string | null,
    closedAt: row['closed_at'] as number | null,
  };
}
