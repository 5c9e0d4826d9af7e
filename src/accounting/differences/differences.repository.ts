import { Injectable } from '@nestjs/common';
import { Store, type SqlValue } from '../../store/store.js';
import { narrowed, type Filter } from '../../store/narrowed.js';
import type { Difference } from './difference.js';
import type { Refs } from './judge.js';
import { listed } from './parts.js';

/** `reference`: the gateway's, the order's, or a payout's name. */
type DifferenceFilter = Filter<'state' | 'kind' | 'reference' | 'currency'>;

/** A difference with the id of the report of its newest row. */
export type Listed = Difference & { settlementId: string | null };

const NUMBERS = ['gone', 'report', 'line', 'foundAt', 'expected', 'found', 'closedAt'] as const;
/** What an existing row keeps: the latest note may have come meanwhile. */
const KEPT = ['id', 'ref', 'part', 'currency', 'foundAt', 'note'] as const;
const CHANGED = [
  ...([
    'kind',
    'state',
    'gone',
    'report',
    'line',
    'reference',
    'paymentId',
    'movementId',
    'expected',
  ] as const),
  ...(['expectedCurrency', 'found', 'closedBy', 'closedAt', 'reason'] as const),
];
type Field = (typeof KEPT | typeof CHANGED)[number] & keyof Difference;
const FIELDS: readonly Field[] = [...KEPT, ...CHANGED];
const isNumber = (field: Field): boolean => (NUMBERS as readonly Field[]).includes(field);
const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const read = (field: Field): string =>
  `${field === 'expected' || field === 'found' ? `cast(d.${field} as text)` : `d.${columnOf(field)}`} as "${field}"`;

/** Differences as they are kept. */
@Injectable()
export class DifferencesRepository {
  constructor(private readonly store: Store) {}

  /** Of payments by their gateway references, or of payouts by their names. */
  of(refs: Refs, parts: 'payments' | 'payouts'): Promise<Difference[]> {
    const among = `select cast(value as text) from ${listed(this.store.kind, 'texts')}`;
    return this.read(`where d.ref in (${among}) and d.part ${parts === 'payouts' ? '=' : '<>'} 'payout'`, [
      refs,
    ]);
  }

  async find(id: string): Promise<Listed | undefined> {
    return (await this.read('where d.id = ?', [id]))[0];
  }

  /** Newest first, behind an id. */
  list(filter: DifferenceFilter, limit: number, after?: string): Promise<Listed[]> {
    const { state, kind, reference, currency, from, to } = filter;
    const { where, values } = narrowed({
      ...{ 'd.state = ?': state, 'd.kind = ?': kind, 'd.currency = ?': currency },
      ...{
        '? in (d.ref, d.reference)': reference,
        'd.found_at >= ?': from,
        'd.found_at < ?': to,
        'd.id < ?': after,
      },
    });
    return this.read(`where ${where} order by d.id desc limit ?`, [...values, limit]);
  }

  /** Those whose newest row is in a report, oldest first. */
  ofReport(report: number, limit: number): Promise<Listed[]> {
    return this.read('where d.report = ? order by d.id limit ?', [report, limit]);
  }

  /** How many are open whose newest row is in a report, by kind. */
  counts(reports: readonly number[]): Promise<{ report: number; kind: string; count: number }[]> {
    return this.store.rows({
      text: `select report, kind, count(*) as count from differences where state = 'open'
        and report in (${reports.map(() => '?').join(', ') || 'null'}) group by report, kind`,
      values: reports,
    });
  }

  /** Writes what has changed, in one statement. */
  async save(differences: readonly Difference[]): Promise<void> {
    if (differences.length === 0) return;
    const values = FIELDS.map((field) =>
      isNumber(field) ? `cast(value ->> '${field}' as bigint)` : `value ->> '${field}'`,
    );
    const changes = CHANGED.map(columnOf).map((column) => `${column} = excluded.${column}`);
    await this.store.run({
      text: `insert into differences (${FIELDS.map(columnOf).join(', ')}) select ${values.join(', ')}
        from ${listed(this.store.kind, 'rows')} where true on conflict (ref, part, currency) do update set ${changes.join(', ')}`,
      values: [JSON.stringify(differences)],
    });
  }

  /** Changes some columns of one, while a condition holds. Whether it did. */
  async change(id: string, columns: Readonly<Record<string, SqlValue>>, condition: string): Promise<boolean> {
    const names = Object.keys(columns);
    const changed = await this.store.run({
      text: `update differences set ${names.map((name) => `${name} = ?`).join(', ')} where id = ? and ${condition}`,
      values: [...Object.values(columns), id],
    });
    return changed === 1;
  }

  private read(rest: string, values: readonly SqlValue[]): Promise<Listed[]> {
    return this.store.rows({
      text: `select ${FIELDS.map(read).join(', ')}, s.id as "settlementId"
        from differences d left join settlements s on s.n = d.report ${rest}`,
      values,
    });
  }
}
