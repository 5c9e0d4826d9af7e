import { DAY_MS, type TimeZone } from '../../calendar/time-zone.js';
import { formatMajor } from '../../money/money.js';
import type { Store } from '../../store/store.js';
import { settledSums } from '../differences/parts.js';
import { bucketName, bucketSql, type Range, type SummaryKey } from './buckets.js';
import type { MovementSummaryRowDto, SummaryRowDto } from './reports.dto.js';

/** Amounts are minor units as text. */
type Sums<Row, Amount extends keyof Row> = { bucket: string } & Omit<Row, SummaryKey | Amount> &
  Record<Amount | 'currency', string>;
type PaymentSums = Sums<SummaryRowDto, 'amount' | 'captured' | 'refunded'>;
type MovementSums = Sums<
  MovementSummaryRowDto,
  'captured' | 'refunded' | 'reversed' | 'chargedBack' | 'net' | 'settled' | 'unsettled'
>;

/** Payments by when they were made. */
export async function paymentSummary(
  store: Store,
  range: Range,
  by: SummaryKey,
  zone: TimeZone,
): Promise<SummaryRowDto[]> {
  const sums = ['amount', 'captured', 'refunded'];
  const rows = await store.rows<PaymentSums>({
    // By days first, which are numbers.
    text: `select ${bucketName(by, store.kind)} as bucket, status, currency, cast(sum(count) as bigint) as count,
      ${sums.map((name) => `cast(sum(${name}) as text) as ${name}`).join(', ')}
      from (select ${bucketSql(by, 'created_at', range, zone)} as bucket, status, currency, count(*) as count,
        ${sums.map((name) => `sum(${name}) as ${name}`).join(', ')}
        from payments where created_at >= ? and created_at < ? group by 1, 2, 3) as days group by 1, 2, 3 order by 1, 2, 3`,
    values: [range.from, range.to],
  });
  return rows.map(({ bucket, status, currency, count, amount, captured, refunded }) => ({
    ...{ ...named(by, bucket), status, currency, count, amount: major(amount, currency) },
    ...{ captured: major(captured, currency), refunded: major(refunded, currency) },
  }));
}

/** Money by when it moved. `withSettled` adds what of it reports have. */
export async function movementSummary(
  store: Store,
  range: Range,
  by: SummaryKey,
  zone: TimeZone,
  withSettled: boolean,
): Promise<MovementSummaryRowDto[]> {
  const given = (condition: string): string => `sum(case when ${condition} then given else 0 end)`;
  const rows = await store.rows<MovementSums>({
    text: `select ${bucketName(by, store.kind)} as bucket, currency, cast(-${given(`kind in ('payment', 'correction')`)} as text) as captured,
      cast(${given(`kind like 'refund%'`)} as text) as refunded, cast(${given(`kind like 'void%'`)} as text) as reversed,
      cast(${given(`kind like 'chargeback%'`)} as text) as "chargedBack", cast(-sum(given) as text) as net,
      cast(sum(count) as bigint) as count, cast(sum(late) as bigint) as late
      from (select ${bucketSql(by, 'at', range, zone)} as bucket, kind, currency, count(*) as count, sum(late) as late,
        sum(case when direction = 'out' then amount else -amount end) as given
        from movements where at >= ? and at < ? group by 1, 2, 3) as days group by 1, 2 order by 1, 2`,
    values: [range.from, range.to],
  });
  const settled = withSettled ? await settledOf(store, range, by, zone) : undefined;
  return rows.map(({ bucket, currency, net, count, late, ...sums }) => {
    const has = settled && (settled.get(`${bucket} ${currency}`) ?? 0n);
    return {
      ...{ ...named(by, bucket), currency, captured: major(sums.captured, currency) },
      ...{ refunded: major(sums.refunded, currency), reversed: major(sums.reversed, currency) },
      ...{ chargedBack: major(sums.chargedBack, currency), net: major(net, currency) },
      ...(has !== undefined && {
        settled: major(has, currency),
        unsettled: major(BigInt(net) - has, currency),
      }),
      ...{ count, late },
    };
  });
}

/** What is settled, by bucket and currency. Day by day, so that no question takes long or much memory. */
async function settledOf(
  store: Store,
  range: Range,
  by: SummaryKey,
  zone: TimeZone,
): Promise<Map<string, bigint>> {
  const sums = new Map<string, bigint>();
  for (let from = range.from; from < range.to; from += DAY_MS) {
    const to = Math.min(from + DAY_MS, range.to);
    const rows = await store.rows<{ bucket: string; currency: string; settled: string }>({
      text: `select ${bucketName(by, store.kind)} as bucket, currency, cast(sum(settled) as text) as settled
        from (${settledSums(store.kind, bucketSql(by, 'at', range, zone))}) as days group by 1, 2`,
      values: [from, to, '[]', from, to],
    });
    for (const { bucket, currency, settled } of rows) {
      const name = `${bucket} ${currency}`;
      sums.set(name, (sums.get(name) ?? 0n) + BigInt(settled));
    }
  }
  return sums;
}

const major = (minor: string | bigint, currency: string): string => formatMajor(BigInt(minor), currency);

const named = (by: SummaryKey, name: string): { [key in SummaryKey]?: string } =>
  by === 'currency' ? {} : { [by]: name };
