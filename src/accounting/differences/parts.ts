import type { StoreKind } from '../../store/schema.js';

/**
 * A payment has three parts: its sale, its refunds and its chargebacks. By payment, part and currency `here` is the sum of the movements
 * and `there` the sum of the rows of all reports; no row is paired with a movement.
 */
export const PARTS = ['sale', 'refund', 'chargeback'] as const;
export type Part = (typeof PARTS)[number];

/** Two numbers in one, the newest row being the greatest: its report and its line. */
export const LINES = 2 ** 29;

/** A statement with a list as one parameter: JSON. */
export function listed(kind: StoreKind, of: 'texts' | 'rows'): string {
  if (kind === 'embedded') return 'json_each(?)';
  return `json_array_elements${of === 'texts' ? '_text' : ''}(cast(? as json)) as listed(value)`;
}

const partOf = (kind: string, refunds: string, chargebacks: string): string =>
  `case when ${kind} in (${chargebacks}) then 'chargeback' when folds = 0 and ${kind} in (${refunds}) then 'refund' else 'sale' end`;

/**
 * What is known of payments by their gateway references: `ranked` has the movements of each part in their order with the sum up to each,
 * `here` and `there` the sums, and `reach` the last movement whose sum the rows come to. Its parameters are the references, and the ranges
 * of time in which movements are due. A payment that was voided, has no movement or is not here has its refunds in its sale.
 */
export function partsOf(
  kind: StoreKind,
  // A value of a list has no type, and without one no index is looked at.
  asked = `select cast(value as text) as ref from ${listed(kind, 'texts')}`,
): string {
  return `with asked as (${asked}),
    due as (select value ->> 'part' as part, value ->> 'currency' as currency, value ->> 'method' as method,
      cast(value ->> 'begins' as bigint) as begins, cast(value ->> 'ends' as bigint) as ends from ${listed(kind, 'rows')}),
    known as materialized (select asked.ref, p.id as payment, p.reference,
      case when p.id is null or p.status = 'voided' or not exists (select 1 from movements m where m.payment_id = p.id) then 1 else 0 end as folds
      from asked left join payments p on lower(p.client_ref) = lower(asked.ref) and p.client_ref = asked.ref),
    moved as (select k.ref, m.id, m.at, m.method, m.currency, m.amount, m.direction,
      ${partOf('m.kind', `'refund', 'refund_reversal'`, `'chargeback', 'chargeback_reversal'`)} as part
      from known k cross join movements m where m.payment_id = k.payment),
    ranked as materialized (select m.*, row_number() over ordered as n,
      sum(case when (part = 'sale') = (direction = 'in') then amount else -amount end) over ordered as upto,
      case when exists (select 1 from due d where d.part = m.part and d.currency = m.currency and d.method = m.method
        and m.at >= d.begins and m.at < d.ends) then 1 else 0 end as is_due
      from moved m window ordered as (partition by ref, part order by at, id)),
    here as materialized (select ref, part, min(currency) as currency, min(method) as method, min(at) as first_at, max(n) as n,
      sum(case when (part = 'sale') = (direction = 'in') then amount else -amount end) as total,
      max(is_due * n) as last_due from ranked group by ref, part),
    booked as (select k.ref, ${partOf('r.type', `'refund', 'refundReversal'`, `'chargeback', 'chargebackReversal'`)} as part,
      r.type, r.amount, r.currency, r.fee, r.net, r.net_currency, r.settled_at, cast(r.report as bigint) * ${LINES} + r.line as place
      from known k cross join settlement_rows r where r.ref = k.ref
      and r.report not in (select n from settlements where state = 'reading')),
    there as materialized (select ref, part, currency, count(*) as count, max(place) as place,
      sum(case when type in ('payment', 'refundReversal', 'chargebackReversal') = (part = 'sale') then amount else -amount end) as total,
      sum(case when net_currency = currency then fee else 0 end) as fees,
      sum(fee) as fee, sum(coalesce(net, 0)) as net, min(net_currency) as net_currency, max(settled_at) as settled_at
      from booked group by ref, part, currency),
    reach as materialized (select t.ref, t.part, t.currency, max(r.n) as n from there t
      join ranked r on r.ref = t.ref and r.part = t.part and r.currency = t.currency
      where r.upto = t.total or (t.part = 'sale' and r.upto = t.total - t.fees) group by t.ref, t.part, t.currency),
    twice as materialized (select t.ref, t.currency from there t
      join here h on h.ref = t.ref and h.part = t.part and h.currency = t.currency
      where t.part = 'sale' and h.total > 0 and (${multiple('t.total')} or ${multiple('(t.total - t.fees)')}))`;
}

/** Whether sales come to twice what they should, or a higher multiple, in at least so many rows. */
function multiple(sum: string): string {
  return `(${sum} >= 2 * h.total and ${sum} % h.total = 0 and ${sum} <= h.total * t.count)`;
}

const greatest = (kind: StoreKind): string => (kind === 'embedded' ? 'max' : 'greatest');

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
  return `${partsOf(kind)}
    select 'differs' as what, t.ref, t.part, t.currency, k.payment, k.reference,
      (select r.id from ranked r where r.ref = h.ref and r.part = h.part and r.n = h.n) as movement,
      cast(h.total as text) as here, h.currency as here_currency, cast(t.total as text) as there,
      case when t.part = 'sale' and exists (select 1 from twice w where w.ref = t.ref and w.currency = t.currency) then 1 else 0 end as twice,
      t.place, coalesce(h.method, '') as method, 0 as first, 0 as last
      from there t join known k on k.ref = t.ref left join here h on h.ref = t.ref and h.part = t.part
      left join reach on reach.ref = t.ref and reach.part = t.part and reach.currency = t.currency
      where case when h.currency = t.currency then coalesce(reach.n, 0) < ${greatest(kind)}(1, h.last_due) else t.total <> 0 end
    union all
    select 'differs', h.ref, h.part, h.currency, k.payment, k.reference,
      (select r.id from ranked r where r.ref = h.ref and r.part = h.part and r.n = h.last_due),
      cast(h.total as text), h.currency, null, 0, null, h.method, 0, 0
      from here h join known k on k.ref = h.ref
      where h.last_due > 0 and h.total <> 0 and not exists (select 1 from there t where t.ref = h.ref and t.part = h.part)
    union all
    select 'bound', '', h.part, h.currency, null, null, null, null, null, null, 0, null, h.method, min(h.first_at), max(h.first_at)
      from here h where exists (select 1 from there t where t.ref = h.ref and t.part = h.part)
      group by h.part, h.currency, h.method`;
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

const SETTLED = `from ranked r join there t on t.ref = r.ref and t.part = r.part and t.currency = r.currency
  left join reach on reach.ref = r.ref and reach.part = r.part and reach.currency = r.currency
  where coalesce(reach.n, 0) >= r.n
    or (r.part = 'sale' and exists (select 1 from twice w where w.ref = r.ref and w.currency = r.currency))`;

/** Movements of payments up to whose sum the rows come, or that are settled twice. */
export function settledSql(kind: StoreKind): string {
  return `${partsOf(kind)}
    select r.id as movement, s.id as settlement, t.place % ${LINES} as line, t.settled_at as at,
      case when r.n = 1 then 1 else 0 end as first, cast(t.total as text) as gross, cast(t.fee as text) as fee,
      cast(t.net as text) as net, t.net_currency ${SETTLED.replace('left join reach', `join settlements s on s.n = t.place / ${LINES} left join reach`)}`;
}

/** What of the money of a stretch of time is settled, by a bucket (an expression of `r`) and currency: in less out. */
export function settledSums(kind: StoreKind, bucket: string): string {
  const asked = 'select distinct gateway_reference as ref from movements where at >= ? and at < ?';
  return `${partsOf(kind, asked)}
    select ${bucket} as bucket, r.currency, cast(sum(case when r.direction = 'in' then r.amount else -r.amount end) as text) as settled
    ${SETTLED.replace('where ', 'where r.at >= ? and r.at < ? and (')}) group by 1, 2`;
}
