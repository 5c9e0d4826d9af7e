import { Injectable } from '@nestjs/common';
import { Store } from '../../store/store.js';
import type { Found } from './difference.js';
import type { Bound, DueRange } from './due.js';
import { paged } from '../paged.js';
import { differencesSql, listed, newest, PLACE, READ_WHOLE } from './parts.js';

/** So many payments are judged by one question, so that others are answered between two of them. */
export const AT_ONCE = 1_000;

/** The questions whose answers are differences. They are read where they hold up no payment. */
@Injectable()
export class Judge {
  constructor(private readonly store: Store) {}

  /** What differs of payments, and since when and until when such money is settled. */
  async payments(
    refs: readonly string[],
    due: readonly DueRange[],
  ): Promise<{ found: Found[]; bounds: Bound[] }> {
    const rows = await this.store.rows<{ kind: string }>({
      text: differencesSql(this.store.kind),
      values: [JSON.stringify(refs), JSON.stringify(due)],
    });
    return {
      found: rows.filter(({ kind }) => kind !== 'bound') as Found[],
      bounds: rows.filter(({ kind }) => kind === 'bound') as unknown as Bound[],
    };
  }

  /** Payouts that are not the net of their rows, sign apart. */
  payouts(names: readonly string[]): Promise<Found[]> {
    const paid = `sum(case when type = 'payout' then amount else 0 end)`;
    const net = `sum(case when type = 'payout' then 0 else coalesce(net, 0) end)`;
    return this.store.rows({
      text: `select 'payout_differs' as kind, payout as ref, 'payout' as part, net_currency as currency, ${newest('max(place)')},
          null as reference, null as "paymentId", null as "movementId", cast(${net} as text) as expected,
          net_currency as "expectedCurrency", cast(${paid} as text) as found
        from (select r.*, ${PLACE} as place from settlement_rows r where ${READ_WHOLE}
          and payout in (select cast(value as text) from ${listed(this.store.kind, 'texts')})) as booked
        group by payout, net_currency having count(distinct type = 'payout') = 2 and abs(${paid}) <> abs(${net})`,
      values: [JSON.stringify(names)],
    });
  }

  /** The payments of a report, in pages. */
  async *ofReport(report: number): AsyncGenerator<string[]> {
    const pages = paged<{ ref: string }>(AT_ONCE, (after) =>
      this.store.rows({
        text: 'select ref from settlement_rows where report = ? and ref > ? order by ref limit ?',
        values: [report, after?.ref ?? '', AT_ONCE],
      }),
    );
    for await (const rows of pages) yield [...new Set(rows.map(({ ref }) => ref))];
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
  movedSince(bound: string): AsyncGenerator<{ id: string; ref: string }[]> {
    return paged(AT_ONCE, (after) =>
      this.store.rows({
        text: 'select id, gateway_reference as ref from movements where id > ? order by id limit ?',
        values: [after?.id ?? bound, AT_ONCE],
        lookup: true,
      }),
    );
  }

  /** Payments with movements of a stretch of time, but for those whose only movement has rows: when it is due changes nothing. */
  async *comeDue({ from, to }: { from: number; to: number }): AsyncGenerator<string[]> {
    const pages = paged<{ id: string; at: number; ref: string; open: number }>(AT_ONCE, (after) =>
      this.store.rows({
        text: `select id, at, gateway_reference as ref, case when
            exists (select 1 from settlement_rows r where r.ref = m.gateway_reference and r.type = m.kind)
            and not exists (select 1 from movements o where o.gateway_reference = m.gateway_reference and o.id <> m.id)
            then 0 else 1 end as open
          from movements m where (at, id) > (?, ?) and at < ? order by at, id limit ?`,
        values: [after?.at ?? from, after?.id ?? '', to, AT_ONCE],
      }),
    );
    for await (const rows of pages)
      yield [...new Set(rows.filter(({ open }) => open === 1).map(({ ref }) => ref))];
  }
}
