import type { StoreKind } from '../../store/schema.js';

/**
 * A payment has three parts: its sale, its refunds and its chargebacks. By payment, part and currency `here` is the sum of the movements
 * and `there` the sum of the rows of all reports; no row is paired with a movement.
 */
export const PARTS = ['sale', 'refund', 'chargeback'] as const;
export type Part = (typeof PARTS)[number];

/** Two numbers in one, the newest row being the greatest: its report and its line. */
const LINES = 2 ** 29;

/** Where a row is. */
export const PLACE = `cast(report as bigint) * ${LINES} + line`;
/** The report and the line of a place. */
export const newest = (place: string): string => `${place} / ${LINES} as report, ${place} % ${LINES} as line`;
/** Rows of a report that is still being read do not count. */
export const READ_WHOLE = `report not in (select n from settlements where state = 'reading')`;

/** A table of one column, `value`: a list that is one parameter, as JSON. */
export function listed(kind: StoreKind, of: 'texts' | 'rows'): string {
  if (kind === 'embedded') return 'json_each(?)';
  return `jsonb_array_elements${of === 'texts' ? '_text' : ''}(cast(? as jsonb)) as listed(value)`;
}

const paymentOf = (ref: string): string =>
  `from payments p where lower(p.client_ref) = lower(${ref}) and p.client_ref = ${ref}`;

/** Whether a payment was voided, has no movement or is not here: its refunds belong to its sale then. */
const folds = (ref: string): string =>
  `not exists (select 1 ${paymentOf(ref)} and p.status <> 'voided')
    or not exists (select 1 from movements v where v.gateway_reference = ${ref})`;

const partOf = (ref: string, kind: string, refunds: string, chargebacks: string): string =>
  `case when ${kind} in (${chargebacks}) then 'chargeback'
    when ${kind} in (${refunds}) then case when ${folds(ref)} then 'sale' else 'refund' end else 'sale' end`;

/** What a movement adds to its part: sales are what came in, refunds and chargebacks what went out. */
const ADDS = `case when (m.part = 'sale') = (m.direction = 'in') then m.amount else -m.amount end`;

/**
 * What is known of payments by their gateway references. `there`: the rows of each part and currency. `paired`: each movement beside those
 * of its part, for each currency with rows; rows of another currency that come to nothing are as none. The movements of a part are numbered in their order (`n`, the last one is `last`), `upto` is the sum up to each and `here`
 * that of all; `reach` is the last one whose sum the rows come to, and `last_due` the last one that is due. The parameters are the references,
 * and the ranges of time in which movements are due.
 */
function partsOf(
  kind: StoreKind,
  // A value of a list has no type, and without one no index is looked at.
  asked = `select cast(value as text) as ref from ${listed(kind, 'texts')}`,
): string {
  return `with asked as materialized (${asked}),
    due as materialized (select value ->> 'part' as part, value ->> 'currency' as currency, value ->> 'method' as method,
      cast(value ->> 'begins' as bigint) as begins, cast(value ->> 'ends' as bigint) as ends from ${listed(kind, 'rows')}),
    moved as (select m.gateway_reference as ref, m.id, m.at, m.method, m.currency, m.amount, m.direction,
      ${partOf('m.gateway_reference', 'm.kind', `'refund', 'refund_reversal'`, `'chargeback', 'chargeback_reversal'`)} as part
      from asked cross join movements m where m.gateway_reference = asked.ref),
    ranked as (select m.*, row_number() over ordered as n, cast(sum(${ADDS}) over ordered as bigint) as upto,
      case when exists (select 1 from due d where d.part = m.part and d.currency = m.currency and d.method = m.method
        and m.at >= d.begins and m.at < d.ends) then 1 else 0 end as is_due
      from moved m window ordered as (partition by ref, part order by at, id)),
    booked as (select r.ref, r.type, r.amount, r.currency, r.fee, r.net, r.net_currency, r.settled_at,
      ${PLACE} as place,
      ${partOf('r.ref', 'r.type', `'refund', 'refundReversal'`, `'chargeback', 'chargebackReversal'`)} as part
      from asked cross join settlement_rows r where r.ref = asked.ref
and r.${READ_WHOLE}),
    there as materialized (select ref, part, currency, count(*) as count, max(place) as place,
      cast(sum(case when type in ('payment', 'refundReversal', 'chargebackReversal') = (part = 'sale') then amount else -amount end) as bigint) as total,
      cast(sum(case when net_currency = currency then fee else 0 end) as bigint) as fees,
      sum(fee) as fee, sum(coalesce(net, 0)) as net, min(net_currency) as net_currency, max(settled_at) as settled_at
      from booked group by ref, part, currency),
    paired as materialized (select m.*, t.currency as there_currency, t.count, t.place, t.total, t.fees, t.fee, t.net, t.net_currency, t.settled_at,
      cast(sum(${ADDS}) over part as bigint) as here, max(n) over part as last, max(is_due * n) over part as last_due,
      max(case when t.currency = m.currency and (upto = total or (m.part = 'sale' and upto = total - fees)) then n else 0 end) over part as reach
      from ranked m left join there t on t.ref = m.ref and t.part = m.part and (t.currency = m.currency or t.total <> 0) window part as (partition by m.ref, m.part, t.currency))`;
}

/** Whether sales come to twice what they should, or a higher multiple, in at least so many rows. */
const TWICE = `(part = 'sale' and there_currency = currency and here > 0 and (${['total', '(total - fees)']
  .map((sum) => `(${sum} >= 2 * here and ${sum} % here = 0 and ${sum} <= here * count)`)
  .join(' or ')}))`;

/**
 * The differences of payments and, as rows whose kind is `bound`, since when and until when money of a part, currency and method is settled.
 * A part agrees where its rows come to the sum of its movements, or to the sum without the last ones while none of those is due.
 */
export function differencesSql(kind: StoreKind): string {
  const payment = (column: string): string => `(select p.${column} ${paymentOf('ref')})`;
  return `${partsOf(kind)}
    select case when there_currency is null then 'not_settled' when there_currency <> currency then 'currency_differs'
        when part <> 'sale' then part || '_differs' when ${TWICE} then 'settled_twice' else 'amount_differs' end as kind,
      ref, part, coalesce(there_currency, currency) as currency, ${newest('place')}, ${payment('reference')} as reference,
      ${payment('id')} as "paymentId", id as "movementId", cast(here as text) as expected, currency as "expectedCurrency",
      cast(total as text) as found, null as method, cast(null as bigint) as first, cast(null as bigint) as last
      from paired where n = case when there_currency is null then last_due else last end
      and case when there_currency is null then here <> 0
        when there_currency = currency then reach = 0 or reach < last_due else true end
    union all
    select case when part <> 'sale' then part || '_unknown_here' when "paymentId" is null then 'unknown_here' else 'not_paid_here' end,
      ref, part, currency, ${newest('place')}, reference, "paymentId", null, case when "paymentId" is not null then '0' end,
      case when "paymentId" is not null then currency end, cast(total as text), null, null, null
      from (select t.*, ${payment('reference')} as reference, ${payment('id')} as "paymentId" from there t
        where total <> 0 and not exists (select 1 from paired m where m.ref = t.ref and m.part = t.part)) as unpaired
    union all
    select 'bound', '', part, currency, null, null, null, null, null, null, null, null, method, min(at), max(at)
      from paired where n = 1 and there_currency is not null group by part, currency, method`;
}

/** How the rows settle a movement. Amounts are minor units, of all rows of the part, at its first movement. */
export interface SettledRow {
  movement: string;
  settlementId: string;
  line: number;
  at: number | null;
  gross: string | null;
  fee: string | null;
  net: string | null;
  netCurrency: string | null;
}

/** Movements up to whose sum the rows come, or that are settled twice. */
const SETTLED = `paired where (n <= reach or ${TWICE})`;

/** Movements of payments that are settled, and how. */
export function settledSql(kind: StoreKind): string {
  const first = (what: string): string => `case when n = 1 then ${what} end`;
  return `${partsOf(kind)}
    select id as movement, (select s.id from settlements s where s.n = place / ${LINES}) as "settlementId", place % ${LINES} as line,
      settled_at as at, ${first('cast(total as text)')} as gross, ${first('cast(fee as text)')} as fee,
      ${first('cast(net as text)')} as net, ${first('net_currency')} as "netCurrency" from ${SETTLED}`;
}

/** What of the money of a stretch of time is settled, by a bucket (an expression of its columns) and currency: in less out. */
export function settledSums(kind: StoreKind, bucket: string): string {
  const asked = 'select distinct gateway_reference as ref from movements where at >= ? and at < ?';
  return `${partsOf(kind, asked)}
    select ${bucket} as bucket, currency, sum(case when direction = 'in' then amount else -amount end) as settled
    from ${SETTLED} and at >= ? and at < ? group by 1, 2`;
}
