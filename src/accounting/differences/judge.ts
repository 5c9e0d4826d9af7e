import type { Store } from '../../store/store.js';
import { foundOf, type Found } from './difference.js';
import type { Bound, DueRange } from './due.js';
import { differencesSql, LINES, listed, type Judged } from './parts.js';

/** So many payments are judged by one question, so that others are answered between two of them. */
export const AT_ONCE = 1_000;
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
        text: 'select ref from settlement_rows where report = ? and ref > ? order by ref limit ?',
        values: [report, after, AT_ONCE],
      });
      if (rows.length > 0) yield [...new Set(rows.map(({ ref }) => ref))];
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

  /** Payments with movements of a stretch of time, but for those whose only movement has rows: when it is due changes nothing. */
  async *comeDue({ from, to }: { from: number; to: number }): AsyncGenerator<string[]> {
    for (let after = { at: from - 1, id: '~' }; ;) {
      const rows = await this.store.rows<{ id: string; at: number; ref: string; open: number }>({
        text: `select id, at, gateway_reference as ref, case when
            exists (select 1 from settlement_rows r where r.ref = m.gateway_reference and r.type = m.kind)
            and not exists (select 1 from movements o where o.gateway_reference = m.gateway_reference and o.id <> m.id)
            then 0 else 1 end as open
          from movements m where at >= ? and (at > ? or id > ?) and at < ? order by at, id limit ?`,
        values: [after.at, after.at, after.id, to, AT_ONCE],
      });
      const refs = new Set(rows.filter(({ open }) => open === 1).map(({ ref }) => ref));
      if (refs.size > 0) yield [...refs];
      const last = rows.at(-1);
      if (!last || rows.length < AT_ONCE) return;
      after = last;
    }
  }
}
