import type { Store } from '../../store/store.js';
import { foundOf, type Found } from './difference.js';
import type { Bound, DueRange } from './due.js';
import { differencesSql, LINES, listed, type Judged } from './parts.js';

/** So many payments are judged by one question, so that others are answered between two of them. */
export const AT_ONCE = 1_000;
/** So many movements are looked through for those that come due. */
const PAGE = 10_000;

const OF_PART = `case when m.kind in ('refund', 'refund_reversal') then r.type in ('refund', 'refundReversal')
  when m.kind in ('chargeback', 'chargeback_reversal') then r.type in ('chargeback', 'chargebackReversal')
  else r.type in ('payment', 'paymentReversal') end`;
const PART = `case when m.kind in ('refund', 'refund_reversal') then 'refund'
  when m.kind in ('chargeback', 'chargeback_reversal') then 'chargeback' else 'sale' end`;

/** The questions whose answers are differences. They are read where they hold up no payment. */
export class Judge {
  constructor(private readonly store: Store) {}

  /** What differs of payments, and since when and until when such money is settled. */
  async payments(
    refs: readonly string[],
    due: readonly DueRange[],
  ): Promise<{ found: Found[]; bounds: Bound[] }> {
    const rows = await this.store.rows<Judged>({
      text: differencesSql(this.store.kind),
      values: [JSON.stringify(refs), JSON.stringify(due)],
    });
    return {
      found: rows.filter(({ what }) => what === 'differs').map(foundOf),
      bounds: rows
        .filter(({ what }) => what === 'bound')
        .map(({ part, currency, method, first, last }) => ({ part, currency, method, first, last })),
    };
  }

  /** Payouts that are not the net of their rows, sign apart. */
  async payouts(names: readonly string[]): Promise<Found[]> {
    const rows = await this.store.rows<{
      ref: string;
      currency: string;
      paid: string;
      net: string;
      place: number;
    }>({
      text: `select payout as ref, net_currency as currency, max(cast(report as bigint) * ${LINES} + line) as place,
        cast(sum(case when type = 'payout' then amount else 0 end) as text) as paid,
        cast(sum(case when type = 'payout' then 0 else coalesce(net, 0) end) as text) as net
        from settlement_rows where payout in (select cast(value as text) from ${listed(this.store.kind, 'texts')})
          and report not in (select n from settlements where state = 'reading')
        group by payout, net_currency having min(case when type = 'payout' then 0 else 1 end) = 0
          and max(case when type = 'payout' then 0 else 1 end) = 1
          and abs(sum(case when type = 'payout' then amount else 0 end)) <> abs(sum(case when type = 'payout' then 0 else coalesce(net, 0) end))`,
      values: [JSON.stringify(names)],
    });
    return rows.map(({ ref, currency, paid, net, place }) => ({
      ...{
        kind: 'payout_differs',
        ref,
        part: 'payout',
        currency,
        reference: null,
        paymentId: null,
        movementId: null,
      },
      report: Math.floor(place / LINES),
      line: place % LINES,
      ...{ expected: BigInt(net), expectedCurrency: currency, found: BigInt(paid) },
    }));
  }

  /** The payments of a report, in pages. */
  async *ofReport(report: number): AsyncGenerator<string[]> {
    for (let after = ''; ;) {
      const rows = await this.store.rows<{ ref: string }>({
        text: 'select distinct ref from settlement_rows where report = ? and ref > ? order by ref limit ?',
        values: [report, after, AT_ONCE],
      });
      if (rows.length > 0) yield rows.map(({ ref }) => ref);
      if (rows.length < AT_ONCE) return;
      after = rows.at(-1)?.ref ?? '';
    }
  }

  /** The payouts that a report has rows of. */
  async payoutsOf(report: number): Promise<string[]> {
    const rows = await this.store.rows<{ payout: string }>({
      text: 'select distinct payout from settlement_rows where report = ? and payout is not null',
      values: [report],
    });
    return rows.map(({ payout }) => payout);
  }

  /** Movements written since a time, by their ids. */
  async *movedSince(bound: string): AsyncGenerator<{ id: string; ref: string }[]> {
    for (let after = bound; ;) {
      const rows = await this.store.rows<{ id: string; ref: string }>({
        text: 'select id, gateway_reference as ref from movements where id > ? order by id limit ?',
        values: [after, AT_ONCE],
        lookup: true,
      });
      if (rows.length > 0) yield rows;
      if (rows.length < AT_ONCE) return;
      after = rows.at(-1)?.id ?? '';
    }
  }

  /** Payments with movements that are due now and were not, and that rows do not plainly settle. */
  async *comeDue(
    { from, to }: { from: number; to: number },
    now: readonly DueRange[],
    before: readonly DueRange[],
  ): AsyncGenerator<string[]> {
    const inside = `exists (select 1 from ${listed(this.store.kind, 'rows')} where value ->> 'part' = ${PART}
      and value ->> 'currency' = m.currency and value ->> 'method' = m.method
      and m.at >= cast(value ->> 'begins' as bigint) and m.at < cast(value ->> 'ends' as bigint))`;
    for (let after = { at: from - 1, id: '~' }; ;) {
      const rows = await this.store.rows<{ id: string; at: number; ref: string; due: number }>({
        text: `select id, at, gateway_reference as ref, case when ${inside} and not ${inside}
            and (not exists (select 1 from settlement_rows r where r.ref = m.gateway_reference and ${OF_PART})
              or exists (select 1 from movements other where other.payment_id = m.payment_id and other.id <> m.id))
            then 1 else 0 end as due
          from (select * from movements where (at > ? or (at = ? and id > ?)) and at < ? order by at, id limit ?) m order by at, id`,
        values: [JSON.stringify(now), JSON.stringify(before), after.at, after.at, after.id, to, PAGE],
      });
      const refs = [...new Set(rows.filter(({ due }) => due === 1).map(({ ref }) => ref))];
      for (let at = 0; at < refs.length; at += AT_ONCE) yield refs.slice(at, at + AT_ONCE);
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      after = last;
    }
  }
}
