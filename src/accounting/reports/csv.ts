import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { DAY_MS, type TimeZone } from '../../calendar/time-zone.js';
import { formatMajor, formatSigned } from '../../money/money.js';
import type { Store } from '../../store/store.js';
import type { LedgerEntry, MovementsRepository } from '../movements/movements.repository.js';
import type { Range } from './buckets.js';

/** What spreadsheets take for the beginning of a formula, also in wide letters. */
const RUNS = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
/** So many rows are read at once. */
const AT_ONCE = 500;
/** So many names of metadata get a column: the first ones in their order. */
const MOST_NAMES = 200;

/** A text that no spreadsheet runs. */
export function harmless(text: string): string {
  return RUNS.test(text) ? `'${text}` : text;
}

/** A table (RFC 4180) that is made while it is read. Where its rows fail it breaks off, so that half a table is not taken for a whole one. */
export function tableOf(header: readonly string[], rows: AsyncIterable<string[]>, bom: boolean): Readable {
  const table = stringify({ header: true, columns: [...header], record_delimiter: 'windows', bom });
  const source = Readable.from(rows, { highWaterMark: 100 });
  source.on('error', (error) => table.destroy(error));
  table.on('close', () => source.destroy());
  return source.pipe(table);
}

const PAYMENT_COLUMNS = [
  ...[
    'id',
    'createdAt',
    'paidAt',
    'reference',
    'gatewayReference',
    'transaction',
    'method',
    'brand',
    'last4',
  ],
  ...['status', 'currency', 'amount', 'captured', 'refunded', 'disputed', 'duplicateOf', 'session'],
];

type PaymentRow = Record<
  'id' | 'reference' | 'client_ref' | 'method' | 'status' | 'currency' | 'session_id',
  string
> &
  Record<'amount' | 'captured' | 'refunded' | 'disputed_amount', string> &
  Record<'transaction_ref' | 'brand' | 'last4' | 'duplicate_of', string | null> & {
    created_at: number;
    paid_at: number | null;
  };

/** Payments by when they were made, oldest first. */
export function paymentsTable(store: Store, range: Range, bom: boolean): Readable {
  return tableOf(PAYMENT_COLUMNS, paymentRows(store, range), bom);
}

async function* paymentRows(store: Store, { from, to }: Range): AsyncGenerator<string[]> {
  const sums = ['amount', 'captured', 'refunded', 'disputed_amount'].map(
    (name) => `cast(${name} as text) as ${name}`,
  );
  for (let after = { created_at: from - 1, id: '~' }; ;) {
    const rows = await store.rows<PaymentRow>({
      text: `select id, created_at, paid_at, reference, client_ref, transaction_ref, method, brand, last4, status, currency,
        ${sums.join(', ')}, duplicate_of, session_id from payments
        where created_at >= ? and (created_at > ? or id > ?) and created_at < ? order by created_at, id limit ?`,
      values: [after.created_at, after.created_at, after.id, to, AT_ONCE],
    });
    for (const row of rows) yield paymentCells(row);
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = last;
  }
}

function paymentCells(row: PaymentRow): string[] {
  const { currency } = row;
  const amounts = [row.amount, row.captured, row.refunded, row.disputed_amount];
  return [
    ...[row.id, time(row.created_at), time(row.paid_at), harmless(row.reference), harmless(row.client_ref)],
    ...[
      harmless(row.transaction_ref ?? ''),
      row.method,
      row.brand ?? '',
      row.last4 ?? '',
      row.status,
      currency,
    ],
    ...amounts.map((minor) => formatMajor(BigInt(minor), currency)),
    ...[row.duplicate_of ?? '', row.session_id],
  ];
}

const MOVEMENT_COLUMNS = [
  ...[
    'id',
    'date',
    'time',
    'kind',
    'amount',
    'currency',
    'reference',
    'gatewayReference',
    'transaction',
    'method',
  ],
  ...['refund', 'reason', 'actor', 'source', 'settledAt', 'fee', 'net', 'netCurrency'],
];

/** The ledger, oldest first. Its last columns are the names of metadata, which are looked for before the first row is sent. */
export async function movementsTable(
  movements: MovementsRepository,
  store: Store,
  range: Range,
  zone: TimeZone,
  bom: boolean,
): Promise<Readable> {
  const names = await metadataNames(store, range);
  const header = [...MOVEMENT_COLUMNS, ...names.map((name) => `meta.${name}`)];
  return tableOf(header, movementRows(movements, store, range, zone, names), bom);
}

async function* movementRows(
  movements: MovementsRepository,
  store: Store,
  range: Range,
  zone: TimeZone,
  names: readonly string[],
): AsyncGenerator<string[]> {
  for (let after: LedgerEntry | undefined; ;) {
    const page = await movements.list(range, AT_ONCE, after);
    const metadata = names.length === 0 ? new Map<string, Metadata>() : await metadataOf(store, page);
    for (const entry of page) {
      const own = metadata.get(entry.paymentId);
      yield [...movementCells(entry, zone), ...names.map((name) => harmless(own?.[name] ?? ''))];
    }
    after = page.at(-1);
    if (!after || page.length < AT_ONCE) return;
  }
}

function movementCells(entry: LedgerEntry, zone: TimeZone): string[] {
  const { currency, settled } = entry;
  const local = zone.localTime(entry.at);
  const sums = settled?.sums;
  const signed = entry.direction === 'in' ? entry.amount : -entry.amount;
  return [
    ...[
      entry.id,
      local.slice(0, 10),
      local.slice(11, 19),
      entry.kind,
      formatSigned(signed, currency),
      currency,
    ],
    ...[entry.reference, entry.gatewayReference, entry.transactionRef ?? ''].map(harmless),
    ...[
      entry.method,
      entry.refundId ?? '',
      harmless(entry.reason ?? ''),
      harmless(entry.actor ?? ''),
      entry.source,
    ],
    time(settled?.at),
    ...(sums
      ? [formatSigned(sums.fee, sums.netCurrency), formatSigned(sums.net, sums.netCurrency), sums.netCurrency]
      : ['', '', '']),
  ];
}

type Metadata = Readonly<Record<string, string>>;

async function metadataOf(store: Store, page: readonly LedgerEntry[]): Promise<Map<string, Metadata>> {
  const ids = [...new Set(page.map(({ paymentId }) => paymentId))];
  if (ids.length === 0) return new Map();
  const rows = await store.rows<{ id: string; metadata: string | null }>({
    text: `select id, cast(doc ->> 'metadata' as text) as metadata from payments where id in (${ids.map(() => '?').join(', ')})`,
    values: ids,
  });
  return new Map(rows.map(({ id, metadata }) => [id, JSON.parse(metadata ?? '{}') as Metadata]));
}

/** Day by day, so that no question reads for long. */
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
  return [...names].sort().slice(0, MOST_NAMES);
}

function time(at: number | null | undefined): string {
  return at === null || at === undefined ? '' : new Date(at).toISOString();
}
