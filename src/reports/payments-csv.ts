import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { formatMajor } from '../money/money.js';
import type { TimeRange } from '../payments/api/payment-filter.js';
import { countedAmounts } from '../payments/state/money-held.js';
import { madeBetween } from '../payments/state/payment-list.js';
import { columnsOf, decodeRow, type StoredRow } from '../store/table.js';
import { type PaymentRecord, payments } from '../store/schema.js';
import { Store } from '../store/store.js';
import { csvOf, harmless, type CsvOptions } from '../http/tables/csv.js';

/** So many payments are read at once: few on the embedded store, which serves nobody else meanwhile. Between two readings nothing of the store is held. */
const AT_ONCE = { embedded: 200, postgres: 1_000 } as const;

/** The columns in their order. More may come, at the end. */
const COLUMNS = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => new Date(createdAt).toISOString(),
  updatedAt: ({ updatedAt }) => new Date(updatedAt).toISOString(),
  reference: ({ reference }) => reference,
  gatewayReference: ({ gatewayReference }) => gatewayReference,
  sessionId: ({ sessionId }) => sessionId,
  method: ({ method }) => method,
  status: ({ status }) => status,
  currency: ({ currency }) => currency,
  amount: (payment) => major(payment, payment.amount),
  amountAuthorized: (payment) => major(payment, payment.amountAuthorized),
  amountCaptured: (payment) => major(payment, payment.amountCaptured),
  amountRefunded: (payment) => major(payment, countedAmounts(payment).refunded),
  disputed: ({ disputed }) => String(disputed),
  needsAttention: ({ needsAttention }) => String(needsAttention),
  duplicateOf: ({ duplicateOf }) => duplicateOf ?? '',
  failureCode: ({ failure }) => failure?.code ?? '',
  cardBrand: ({ cardBrand }) => cardBrand ?? '',
  cardLast4: ({ cardLast4 }) => cardLast4 ?? '',
} satisfies Record<string, (payment: PaymentRecord) => string>;

function major({ currency }: PaymentRecord, minor: bigint | null): string {
  return minor === null ? '' : formatMajor(minor, currency);
}

/** Payments as a table for spreadsheets (RFC 4180). */
@Injectable()
export class PaymentsCsv {
  constructor(private readonly store: Store) {}

  /**
   * The payments made in a range of time, the oldest first, as text that is made while it is read. Throws `store-unavailable`
   * before anything of it is sent; later the stream breaks off, so that half a table is not taken for a whole one.
   */
  async stream(range: TimeRange, options: CsvOptions): Promise<Readable> {
    const first = await this.after(undefined, range);
    return csvOf(Object.keys(COLUMNS), this.rows(first, range), options);
  }

  private async *rows(first: PaymentRecord[], range: TimeRange): AsyncGenerator<string[]> {
    for (let found = first; found.length > 0;) {
      for (const payment of found) yield Object.values(COLUMNS).map((cell) => harmless(cell(payment)));
      if (found.length < AT_ONCE[this.store.kind]) return;
      // Payers go first.
      await nextTurn();
      found = await this.after(found.at(-1)?.id, range);
    }
  }

  private async after(id: string | undefined, { from, to }: TimeRange): Promise<PaymentRecord[]> {
    const conditions = [...madeBetween(from, to), ...(id === undefined ? [] : [sql`id > ${id}`])];
    const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
    const columns = sql.join(columnsOf(payments).map((column) => sql.ref(column)));
    const { rows } = await sql<StoredRow>`
      select ${columns} from payments ${where} order by id limit ${AT_ONCE[this.store.kind]}`.execute(
      this.store.db,
    );
    return rows.map((row) => decodeRow(payments, row));
  }
}
