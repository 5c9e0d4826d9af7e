import type { TimeZone } from '../../calendar/time-zone.js';
import { formatSigned } from '../../money/money.js';
import type { Store } from '../../store/store.js';
import { settledSums } from '../differences/parts.js';
import { bucketName, bucketSql, type Range, type SummaryKey } from './buckets.js';
import type { MovementSummaryRowDto, SummaryRowDto } from './reports.dto.js';

interface PaymentSums {
  bucket: string | number;
  status: SummaryRowDto['status'];
  currency: string;
  count: number;
  amount: string;
  captured: string;
  refunded: string;
}

interface MovementSums {
  bucket: string | number;
  kind: string;
  direction: 'in' | 'out';
  currency: string;
  count: number;
  amount: string;
  late: number;
}

/** Payments by when they were made. */
export async function paymentSummary(
  store: Store,
  range: Range,
  by: SummaryKey,
  zone: TimeZone,
): Promise<SummaryRowDto[]> {
  const rows = await store.rows<PaymentSums>({
    text: `select ${bucketSql(by, 'p', 'created_at', range, zone)} as bucket, status, currency, count(*) as count,
      cast(sum(amount) as text) as amount, cast(sum(captured) as text) as captured, cast(sum(refunded) as text) as refunded
      from payments p where created_at >= ? and created_at < ? group by 1, 2, 3`,
    values: [range.from, range.to],
  });
  const sums = new Map<string, { row: PaymentSums; name: string; totals: bigint[]; count: number }>();
  for (const row of rows) {
    const name = bucketName(by, row.bucket);
    const sum = found(sums, `${name} ${row.status} ${row.currency}`, () => ({
      ...{ row, name, count: 0 },
      totals: [0n, 0n, 0n],
    }));
    sum.count += row.count;
    sum.totals = [row.amount, row.captured, row.refunded].map(
      (text, at) => (sum.totals[at] ?? 0n) + BigInt(text),
    );
  }
  return sorted(sums).map(({ row: { status, currency }, name, totals, count }) => {
    const [amount = '', captured = '', refunded = ''] = totals.map((sum) => formatSigned(sum, currency));
    return { ...named(by, name), status, currency, count, amount, captured, refunded };
  });
}

/** Money by when it moved. `withSettled` adds what of it reports have. */
export async function movementSummary(
  store: Store,
  range: Range,
  by: SummaryKey,
  zone: TimeZone,
  withSettled: boolean,
): Promise<MovementSummaryRowDto[]> {
  const rows = await store.rows<MovementSums>({
    text: `select ${bucketSql(by, 'm', 'at', range, zone)} as bucket, kind, direction, currency, count(*) as count,
      cast(sum(amount) as text) as amount, sum(late) as late
      from movements m where at >= ? and at < ? group by 1, 2, 3, 4`,
    values: [range.from, range.to],
  });
  const sums = new Map<string, Moved>();
  for (const row of rows) {
    const name = bucketName(by, row.bucket);
    add(
      found(sums, `${name} ${row.currency}`, () => nothing(name, row.currency)),
      row,
    );
  }
  if (withSettled)
    for (const { bucket, currency, settled } of await settledOf(
      store,
      range,
      bucketSql(by, 'r', 'at', range, zone),
    )) {
      const name = bucketName(by, bucket);
      found(sums, `${name} ${currency}`, () => nothing(name, currency)).settled += BigInt(settled);
    }
  return sorted(sums).map((moved) => ({ ...named(by, moved.name), ...viewOf(moved, withSettled) }));
}

function settledOf(
  store: Store,
  { from, to }: Range,
  bucket: string,
): Promise<{ bucket: string | number; currency: string; settled: string }[]> {
  return store.rows({ text: settledSums(store.kind, bucket), values: [from, to, '[]', from, to] });
}

interface Moved {
  name: string;
  currency: string;
  captured: bigint;
  refunded: bigint;
  reversed: bigint;
  chargedBack: bigint;
  settled: bigint;
  count: number;
  late: number;
}

function nothing(name: string, currency: string): Moved {
  return {
    ...{ name, currency, captured: 0n, refunded: 0n, reversed: 0n, chargedBack: 0n, settled: 0n },
    ...{ count: 0, late: 0 },
  };
}

function add(moved: Moved, { kind, direction, amount, count, late }: MovementSums): void {
  const sum = BigInt(amount);
  const given = direction === 'out' ? sum : -sum;
  if (kind === 'payment' || kind === 'correction') moved.captured -= given;
  else if (kind.startsWith('refund')) moved.refunded += given;
  else if (kind.startsWith('void')) moved.reversed += given;
  else moved.chargedBack += given;
  moved.count += count;
  moved.late += late;
}

function viewOf(moved: Moved, withSettled: boolean): MovementSummaryRowDto {
  const { currency, captured, refunded, reversed, chargedBack, settled, count, late } = moved;
  const net = captured - refunded - reversed - chargedBack;
  const text = (amount: bigint): string => formatSigned(amount, currency);
  return {
    ...{ currency, captured: text(captured), refunded: text(refunded), reversed: text(reversed) },
    ...{ chargedBack: text(chargedBack), net: text(net) },
    ...(withSettled && { settled: text(settled), unsettled: text(net - settled) }),
    ...{ count, late },
  };
}

function named(by: SummaryKey, name: string): { [key in SummaryKey]?: string } {
  return by === 'currency' ? {} : { [by]: name };
}

function found<T>(all: Map<string, T>, key: string, make: () => T): T {
  const known = all.get(key) ?? make();
  all.set(key, known);
  return known;
}

function sorted<T>(all: ReadonlyMap<string, T>): T[] {
  return [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}
