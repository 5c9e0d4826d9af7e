import type { StoreKind } from '../../store/schema.js';

/**
 * A payment has three parts: its sale, its refunds and its chargebacks. By payment, part and currency `here` is the sum of the movements
 * and `there` the sum of the rows of all reports; no row is paired with a movement.
 */
export const PARTS = ['sale', 'refund', 'chargeback'] as const;
export type Part = (typeof PARTS)[number];

/** Two numbers in one, the newest row being the greatest: its report and its line. */
export const LINES = 2 ** 29;

/** A table of one column, `value`: a list that is one parameter, as JSON. */
export function listed(kind: StoreKind, of: 'texts' | 'rows'): string {
  if (kind === 'embedded') return 'json_each(?)';
  return `jsonb_array_elements${of === 'texts' ? '_text' : ''}(cast(? as jsonb)) as listed(value)`;
}

/** Whether a payment was voided, has no movement or is not here: its refunds belong to its sale then. */
const folds = (ref: string): string =>
  `coalesce((select sum(case v.kind when 'void' then v.amount when 'void_reversal' then -v.amount else 0 end)
    from movements v where v.gateway_reference = ${ref}), 1) > 0`;

const partOf = (ref: string, kind: string, refunds: string, chargebacks: string): string =>
  `case when ${kind} in (${chargebacks}) then 'chargeback'
    when ${kind} in (${refunds}) then case when ${folds(ref)} then 'sale' else 'refund' end else 'sale' end`;

/** What a movement adds to its part: sales are what came in, refunds and chargebacks what went out. */
const ADDS = `case when (m.part = 'sale') = (m.direction = 'in') then m.amount else -m.amount end`;

/**
 * What is known of payments by their gateway references. `there`: the rows of each part and currency. `paired`: each movement beside those
 * of its part. The movements of a part are numbered in their order (`n`, the last one is `last`), `upto` is the sum up to each and `here`
 * that of all; `reach` is the last one whose sum the rows come to, and `last_due` the last one that is due. The parameters are the references,
 * and the ranges of time in which movements are due.
 */
export function partsOf(
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
      cast(r.report as bigint) * ${LINES} + r.line as place,
      ${partOf('r.ref', 'r.type', `'refund', 'refundReversal'`, `'chargeback', 'chargebackReversal'`)} as part
      from asked cross join settlement_rows r where r.ref = asked.ref
      and r.report not in (select n from settlements where state = 'reading')),
    there as materialized (select ref, part, currency, count(*) as count, max(place) as place,
      cast(sum(case when type in ('payment', 'refundReversal', 'chargebackReversal') = (part = 'sale') then amount else -amount end) as bigint) as total,
      cast(sum(case when net_currency = currency then fee else 0 end) as bigint) as fees,
      sum(fee) as fee, sum(coalesce(net, 0)) as net, min(net_currency) as net_currency, max(settled_at) as settled_at
      from booked group by ref, part, currency),
    paired as materialized (select m.*, t.currency as there_currency, t.count, t.place, t.total, t.fees, t.fee, t.net, t.net_currency, t.settled_at,
      cast(sum(${ADDS}) over part as bigint) as here, max(n) over part as last, max(is_due * n) over part as last_due,
      max(case when t.currency = m.currency and (upto = total or (m.part = 'sale' and upto = total - fees)) then n else 0 end) over part as reach
      from ranked m left join there t on t.ref = m.ref and t.part = m.part window part as (partition by m.ref, m.part, t.currency))`;
}

/** Whether sales come to twice what they should, or a higher multiple, in at least so many rows. */
const TWICE = `(part = 'sale' and there_currency = currency and here > 0 and (${['total', '(total - fees)']
  .map((sum) => `(${sum} >= 2 * here and ${sum} % here = 0 and ${sum} <= here * count)`)
  .join(' or ')}))`;

/** One part that does not agree, or (`what` is `bound`) since when and until when money of a part, currency and method is settled. */
export interface Judged {
  what: 'differs' | 'bound';
  ref: string;
  part: Part;
  currency: string;
  payment: string | null;
  reference: string | null;
  movement: string | null;
  /** Amounts as texts, in minor units. */
  here: string | null;
  here_currency: string | null;
  there: string | null;
  twice: number;
  place: number | null;
  method: string;
  first: number;
  last: number;
}

/**
 * The differences of payments, in one question. A part agrees where its rows come to the sum of its movements, or to the sum without the
 * last ones while none of those is due.
 */
export function differencesSql(kind: StoreKind): string {
  const paymentOf = (ref: string, column: string): string =>
    `(select p.${column} from payments p where lower(p.client_ref) = lower(${ref}) and p.client_ref = ${ref})`;
  return `${partsOf(kind)}
    select 'differs' as what, ref, part, coalesce(there_currency, currency) as currency, ${paymentOf('ref', 'id')} as payment,
      ${paymentOf('ref', 'reference')} as reference, id as movement, cast(here as text) as here, currency as here_currency,
      cast(total as text) as there, case when ${TWICE} then 1 else 0 end as twice, place, method, 0 as first, 0 as last
      from paired where n = case when there_currency is null then last_due else last end
      and case when there_currency is null then here <> 0
        when there_currency = currency then reach = 0 or reach < last_due else total <> 0 end
    union all
    select 'differs', ref, part, currency, ${paymentOf('ref', 'id')}, ${paymentOf('ref', 'reference')}, null, null, null,
      cast(total as text), 0, place, '', 0, 0
      from there t where total <> 0 and not exists (select 1 from paired r where r.ref = t.ref and r.part = t.part)
    union all
    select 'bound', '', part, currency, null, null, null, null, null, null, 0, null, method, min(at), max(at)
      from paired where n = 1 and there_currency is not null group by part, currency, method`;
}

/** How the rows settle a movement. */
export interface SettledRow {
  movement: string;
  settlement: string;
  line: number;
  at: number | null;
  /** The part's first movement. */
  first: number;
  gross: string;
  fee: string;
  net: string;
  net_currency: string;
}

/** Movements up to whose sum the rows come, or that are settled twice. */
const SETTLED = `paired where (n <= reach or ${TWICE})`;

/** Movements of payments that are settled, and how. */
export function settledSql(kind: StoreKind): string {
  return `${partsOf(kind)}
    select id as movement, (select s.id from settlements s where s.n = place / ${LINES}) as settlement, place % ${LINES} as line,
      settled_at as at, case when n = 1 then 1 else 0 end as first, cast(total as text) as gross, cast(fee as text) as fee,
      cast(net as text) as net, net_currency from ${SETTLED}`;
}

/** What of the money of a stretch of time is settled, by a bucket (an expression of `r`) and currency: in less out. */
export function settledSums(kind: StoreKind, bucket: string): string {
  const asked = 'select distinct gateway_reference as ref from movements where at >= ? and at < ?';
  return `${partsOf(kind, asked)}
    select ${bucket} as bucket, currency, cast(sum(case when direction = 'in' then amount else -amount end) as text) as settled
    from ${SETTLED.replace('paired', 'paired r')} and at >= ? and at < ? group by 1, 2`;
}
