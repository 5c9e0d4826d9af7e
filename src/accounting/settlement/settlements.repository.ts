import { Injectable } from '@nestjs/common';
import { narrowed } from '../../store/narrowed.js';
import { Store, type SqlValue } from '../../store/store.js';
import { listed } from '../differences/parts.js';
import type { PlacedRow } from './report.js';
import type { RowIds } from './row-ids.js';
import type { Settlement, SettlementFigures } from './settlements.dto.js';

/** So many rows go at once when a report goes. */
const GONE_AT_ONCE = 2_000;

/** Reports of the gateway, and their rows. */
@Injectable()
export class SettlementsRepository {
  constructor(private readonly store: Store) {}

  /** Begins a report whose rows do not count yet. Returns its number. */
  async begin(id: string, actor: string): Promise<number> {
    const [row] = await this.store.returning<{ n: number }>({
      text: `insert into settlements (n, id, state, received_at, actor)
        select coalesce(max(n), 0) + 1, ?, 'reading', ?, ? from settlements returning n`,
      values: [id, this.store.now(), actor],
    });
    if (!row) throw new Error('A report was not begun');
    return row.n;
  }

  /** Adds rows. Returns how many of them no earlier report has. */
  add(report: number, rows: readonly PlacedRow[], ids: RowIds): Promise<number> {
    const values = rows.map(({ line, row }) => [
      ...[row.reference ?? '', ids.idOf(row), line, row.type, `${row.amount}`, row.currency, `${row.fee}`],
      ...[row.net === null ? null : `${row.net}`, row.netCurrency, row.payout, row.settledAt],
    ]);
    return this.store.run({
      text: `insert into settlement_rows (ref, id, line, type, amount, currency, fee, net, net_currency, payout, settled_at, report)
        select value ->> 0, value ->> 1, cast(value ->> 2 as integer), value ->> 3, cast(value ->> 4 as bigint), value ->> 5,
          cast(value ->> 6 as bigint), cast(value ->> 7 as bigint), value ->> 8, value ->> 9, cast(value ->> 10 as bigint), ${report}
        from ${listed(this.store.kind, 'rows')} where true on conflict (ref, id) do nothing`,
      values: [JSON.stringify(values)],
    });
  }

  /** From now on the rows count; differences are looked for next. False where the same bytes have come before. */
  async finish(n: number, hash: string, figures: SettlementFigures): Promise<boolean> {
    const changed = await this.store.run({
      text: `update settlements set state = 'comparing', hash = ?, body = ?
        where n = ? and not exists (select 1 from settlements other where other.hash = ?)`,
      values: [hash, JSON.stringify(figures), n, hash],
    });
    return changed === 1;
  }

  /** Removes what was read of reports that came to no end. */
  async removeUnread(): Promise<void> {
    const unread = await this.store.rows<{ n: number }>({
      text: `select n from settlements where state = 'reading'`,
    });
    for (const { n } of unread) {
      const some = `select ref, id from settlement_rows where report = ? limit ${GONE_AT_ONCE}`;
      const text = `delete from settlement_rows where (ref, id) in (${some})`;
      while ((await this.store.run({ text, values: [n] })) > 0);
      await this.store.run({ text: 'delete from settlements where n = ?', values: [n] });
    }
  }

  byHash(hash: string): Promise<Settlement | undefined> {
    return this.first('where hash = ?', hash);
  }

  find(id: string): Promise<Settlement | undefined> {
    return this.first(`where id = ? and state <> 'reading'`, id);
  }

  /** Newest first, behind an id. */
  list(limit: number, after?: string): Promise<Settlement[]> {
    const { where, values } = narrowed({ 'id < ?': after });
    return this.read(`where state <> 'reading' and ${where} order by id desc limit ?`, [...values, limit]);
  }

  private async first(rest: string, value: string): Promise<Settlement | undefined> {
    return (await this.read(rest, [value]))[0];
  }

  private async read(rest: string, values: readonly SqlValue[]): Promise<Settlement[]> {
    const rows = await this.store.rows<Omit<Settlement, keyof SettlementFigures> & { body: string }>({
      text: `select n, id, state, received_at as "receivedAt", actor, body from settlements ${rest}`,
      values,
      lookup: true,
    });
    return rows.map(({ body, ...row }) => ({ ...row, ...(JSON.parse(body) as SettlementFigures) }));
  }
}
