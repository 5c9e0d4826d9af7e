import { Injectable } from '@nestjs/common';
import { Store } from '../../store/store.js';
import type { Found } from './difference.js';
import type { Bound, DueRange } from './due.js';
import { paged } from '../paged.js';
import { differencesSql, listed, newest, PLACE, READ_WHOLE } from './parts.js';

/** So many payments are judged by one question, so that others are answered between two of them. */
export const AT_ONCE = 1_000;

/** A list of gateway references as JSON: the database makes it and reads it, and a thread is sent one text faster than many. */
export type Refs = string;

/** The questions whose answers are differences. They are read where they hold up no payment. */
@Injectable()
export class Judge {
  constructor(private readonly store: Store) {}

  /** What differs of payments, and since when and until when such money is settled. */
  async payments(refs: Refs, due: readonly DueRange[]): Promise<{ found: Found[]; bounds: Bound[] }> {
    const rows = await this.store.rows<{ kind: string }>({
      text: differencesSql(this.store.kind),
      values: [refs, JSON.stringify(due)],
    });
    return {
      found: rows.filter(({ kind }) => kind !== 'bound') as Found[],
      bounds: rows.filter(({ kind }) => kind === 'bound') as unknown as Bound[],
    };
  }

  /** Payouts that are not the net of their rows, sign apart. */
  payouts(names: Refs): Promise<Found[]> {
    const paid = `sum(case when type = 'payout' then amount else 0 end)`;
    const net = `sum(case when type = 'payout' then 0 else coalesce(net, 0) end)`;
    return this.store.rows({
      text: `select 'payout_differs' as kind, payout as ref, 'payout' as part, net_currency as currency, ${newest('max(place)')},
          null as reference, null as "paymentId", null as "movementId", cast(${net} as text) as expected,
          net_currency as "expectedCurrency", cast(${paid} as text) as found
        from (select r.*, ${PLACE} as place from settlement_rows r where ${READ_WHOLE}
          and payout in (select cast(value as text) from ${listed(this.store.kind, 'texts')})) as booked
        group by payout, net_currency having count(distinct type = 'payout') = 2 and abs(${paid}) <> abs(${net})`,
      values: [names],
    });
  }

  /** The payments of a report, in pages. */
  async *ofReport(report: number): AsyncGenerator<Refs> {
    const pages = paged<{ refs: Refs; last: string }>((after) =>
      this.store.rows({
        text: `select ${this.array}(distinct ref) as refs, max(ref) as last
          from (select ref from settlement_rows where report = ? and ref > ? order by ref limit ?) as page having count(*) > 0`,
        values: [report, after?.last ?? '', AT_ONCE],
      }),
    );
    for await (const [page] of pages) if (page) yield page.refs;
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
    return paged((after) =>
      this.store.rows({
        text: 'select id, gateway_reference as ref from movements where id > ? order by id limit ?',
        values: [after?.id ?? bound, AT_ONCE],
        lookup: true,
      }),
    );
  }

  /** Payments with movements of a stretch of time, but for those whose only movement has rows: when it is due changes nothing. */
  async *comeDue({ from, to }: { from: number; to: number }): AsyncGenerator<Refs> {
    const pages = paged<{ refs: Refs | null; at: number; id: string }>((after) =>
      this.store.rows({
        text: `with page as materialized
            (select at, id, kind, gateway_reference as ref from movements where (at, id) > (?, ?) and at < ? order by at, id limit ?)
          select ${this.array}(distinct ref) filter (where
              not exists (select 1 from settlement_rows r where r.ref = page.ref and r.type = page.kind)
              or exists (select 1 from movements o where o.gateway_reference = page.ref and o.id <> page.id)) as refs,
            max(at) as at, (select id from page order by at desc, id desc limit 1) as id
          from page having count(*) > 0`,
        values: [after?.at ?? from, after?.id ?? '', to, AT_ONCE],
      }),
    );
    for await (const [page] of pages) if (page) yield page.refs ?? '[]';
  }

  private get array(): string {
    return this.store.kind === 'embedded' ? 'json_group_array' : 'jsonb_agg';
  }
}
