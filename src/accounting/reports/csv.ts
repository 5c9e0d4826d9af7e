import { Readable } from 'node:stream';
import { stringify, type ColumnOption } from 'csv-stringify';
import { DAY_MS, type TimeZone } from '../../calendar/time-zone.js';
import { formatMajor } from '../../money/money.js';
import type { Store } from '../../store/store.js';
import { settledView, type SettledDto } from '../movements/movements.dto.js';
import type { LedgerEntry, MovementsRepository } from '../movements/movements.repository.js';
import { paged } from '../paged.js';
import { timeText } from '../../payments/core/view.js';
import type { Range } from './buckets.js';

/** What spreadsheets take for the beginning of a formula, also in wide letters. */
const RUNS = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
/** So many rows are read at once. */
const AT_ONCE = 500;
/** Columns of ours that may begin with a minus. */
const SIGNED: readonly unknown[] = ['amount', 'fee', 'net'];

/** A text that no spreadsheet runs. */
export function harmless(text: string): string {
  return RUNS.test(text) ? `'${text}` : text;
}

/** A table (RFC 4180) that is made while it is read. Where its rows fail it breaks off, so that half a table is not taken for a whole one. */
export function tableOf(
  columns: readonly ColumnOption[],
  rows: AsyncIterable<object>,
  bom: boolean,
): Readable {
  const table = stringify({
    ...{ header: true, columns, record_delimiter: 'windows', bom },
    cast: { string: (text, { column }) => (SIGNED.includes(column) ? text : harmless(text)) },
  });
  const source = Readable.from(rows, { highWaterMark: 100 });
  source.on('error', (error) => table.destroy(error));
  table.on('close', () => source.destroy());
  return source.pipe(table);
}

const columnsOf = (names: string): ColumnOption[] => names.split(' ').map((key) => ({ key }));

const PAYMENT_COLUMNS = columnsOf(
  `id createdAt paidAt reference gatewayReference transaction method brand last4 status currency amount captured refunded disputed duplicateOf session`,
);

type PaymentRow = Record<'id' | 'currency' | 'amount' | 'captured' | 'refunded' | 'disputed', string> & {
  createdAt: number;
  paidAt: number | null;
};

/** Payments by when they were made, oldest first. */
export function paymentsTable(store: Store, range: Range, bom: boolean): Readable {
  return tableOf(PAYMENT_COLUMNS, paymentRows(store, range), bom);
}

async function* paymentRows(store: Store, { from, to }: Range): AsyncGenerator<object> {
  const pages = paged<PaymentRow>((after) =>
    store.rows({
      text: `select id, created_at as "createdAt", paid_at as "paidAt", reference, client_ref as "gatewayReference",
        transaction_ref as "transaction", method, brand, last4, status, currency, cast(amount as text) as amount,
        cast(captured as text) as captured, cast(refunded as text) as refunded, cast(disputed_amount as text) as disputed,
        duplicate_of as "duplicateOf", session_id as "session" from payments
        where (created_at, id) > (?, ?) and created_at < ? order by created_at, id limit ?`,
      values: [after?.createdAt ?? from, after?.id ?? '', to, AT_ONCE],
    }),
  );
  for await (const rows of pages)
    for (const row of rows) {
      const major = (minor: string): string => formatMajor(BigInt(minor), row.currency);
      yield {
        ...{
          ...row,
          createdAt: timeText(row.createdAt),
          paidAt: timeText(row.paidAt),
          amount: major(row.amount),
        },
        ...{ captured: major(row.captured), refunded: major(row.refunded), disputed: major(row.disputed) },
      };
    }
}

const MOVEMENT_COLUMNS = columnsOf(
  `id date time kind amount currency reference gatewayReference transaction method refund reason actor source settledAt fee net netCurrency`,
);

/** The ledger, oldest first. Its last columns are the names of metadata, which are looked for before the first row is sent. */
export async function movementsTable(
  movements: MovementsRepository,
  store: Store,
  range: Range,
  zone: TimeZone,
  bom: boolean,
): Promise<Readable> {
  const names = await metadataNames(store, range);
  const columns = names.map((name) => ({ key: ['meta', name], header: `meta.${name}` }));
  return tableOf([...MOVEMENT_COLUMNS, ...columns], movementRows(movements, store, range, zone), bom);
}

async function* movementRows(
  movements: MovementsRepository,
  store: Store,
  range: Range,
  zone: TimeZone,
): AsyncGenerator<object> {
  for await (const page of paged<LedgerEntry>((after) => movements.list(range, AT_ONCE, after))) {
    const metadata = await metadataOf(store, page);
    for (const entry of page) yield { ...movementCells(entry, zone), meta: metadata.get(entry.paymentId) };
  }
}

function movementCells(entry: LedgerEntry, zone: TimeZone): object {
  const { at, amount, currency, direction, transactionRef: transaction, refundId: refund } = entry;
  const local = zone.localTime(at);
  const settled: Partial<SettledDto> = entry.settled ? settledView(entry.settled, currency) : {};
  const { at: settledAt, fee, net, netCurrency } = settled;
  return {
    ...{ ...entry, date: local.slice(0, 10), time: local.slice(11, 19), transaction, refund },
    ...{ amount: formatMajor(BigInt(direction === 'in' ? amount : `-${amount}`), currency) },
    ...{ settledAt, fee, net, netCurrency },
  };
}

type Metadata = Readonly<Record<string, string>>;

async function metadataOf(store: Store, page: readonly LedgerEntry[]): Promise<Map<string, Metadata>> {
  const ids = [...new Set(page.map(({ paymentId }) => paymentId))];
  const rows = await store.rows<{ id: string; metadata: string | null }>({
    text: `select id, cast(doc ->> 'metadata' as text) as metadata from payments where id in (${ids.map(() => '?').join(', ')})`,
    values: ids,
  });
  return new Map(rows.map(({ id, metadata }) => [id, JSON.parse(metadata ?? '{}') as Metadata]));
}

/** Week by week, so that no question reads for long. */
async function metadataNames(store: Store, { from, to }: Range): Promise<string[]> {
  const keys =
    store.kind === 'embedded'
      ? `select distinct key from payments p, json_each(p.doc, '$.metadata')`
      : `select distinct jsonb_object_keys(p.doc -> 'metadata') as key from payments p`;
  const [span] = await store.rows<{ first: number | null; last: number | null }>({
    text: 'select min(at) as first, max(at) as last from movements where at >= ? and at < ?',
    values: [from, to],
  });
  const names = new Set<string>();
  for (let at = span?.first ?? to; at <= (span?.last ?? from); at += 7 * DAY_MS) {
    const rows = await store.rows<{ key: string }>({
      text: `${keys} where p.id in (select payment_id from movements where at >= ? and at < ?)`,
      values: [at, Math.min(at + 7 * DAY_MS, to)],
    });
    for (const { key } of rows) names.add(key);
  }
  return [...names].sort();
}
