import type { SqlValue, Store } from '../../store/store.js';
import type { ClosingReason, Difference, DifferenceKind } from './difference.js';
import { listed, type Part } from './parts.js';

/** Which differences to list; absent members do not narrow. */
export interface DifferenceFilter {
  state?: string | undefined;
  kind?: string | undefined;
  /** The gateway's, the order's, or a payout's name. */
  reference?: string | undefined;
  currency?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** A difference with the id of the report of its newest row. */
export type Listed = Difference & { settlementId: string | null };

interface Row {
  id: string;
  ref: string;
  part: Part | 'payout';
  currency: string;
  kind: DifferenceKind;
  state: 'open' | 'closed';
  gone: number;
  report: number | null;
  line: number | null;
  reference: string | null;
  payment_id: string | null;
  movement_id: string | null;
  found_at: number;
  expected: string | null;
  expected_currency: string | null;
  found: string | null;
  note: string | null;
  closed_by: string | null;
  closed_at: number | null;
  reason: ClosingReason | null;
  settlement: string | null;
}

const COLUMNS = [
  ...['id', 'ref', 'part', 'currency', 'kind', 'state', 'gone', 'report', 'line', 'reference', 'payment_id'],
  ...[
    'movement_id',
    'found_at',
    'expected',
    'expected_currency',
    'found',
    'note',
    'closed_by',
    'closed_at',
    'reason',
  ],
];
const NUMBERS = ['gone', 'report', 'line', 'found_at', 'expected', 'found', 'closed_at'];
/** What an existing row keeps: the latest note may have come meanwhile. */
const KEPT = ['id', 'ref', 'part', 'currency', 'found_at', 'note'];
const READ = COLUMNS.map((name) =>
  name === 'expected' || name === 'found' ? `cast(d.${name} as text) as ${name}` : `d.${name}`,
).join(', ');

/** Differences as they are kept. */
export class DifferencesRepository {
  constructor(private readonly store: Store) {}

  /** Of payments by their gateway references, or of payouts by their names. */
  async of(refs: readonly string[], parts: 'payments' | 'payouts'): Promise<Difference[]> {
    const { kind } = this.store;
    return this.read(
      `where d.ref in (select cast(value as text) from ${listed(kind, 'texts')}) and d.part ${parts === 'payouts' ? '=' : '<>'} 'payout'`,
      [JSON.stringify(refs)],
    );
  }

  async find(id: string): Promise<Listed | undefined> {
    return (await this.read('where d.id = ?', [id]))[0];
  }

  /** Newest first, behind an id. */
  list(filter: DifferenceFilter, limit: number, after?: string): Promise<Listed[]> {
    const { state, kind, reference, currency, from, to } = filter;
    const conditions: [string, SqlValue[]][] = [];
    if (state !== undefined) conditions.push(['d.state = ?', [state]]);
    if (kind !== undefined) conditions.push(['d.kind = ?', [kind]]);
    if (reference !== undefined) conditions.push(['(d.ref = ? or d.reference = ?)', [reference, reference]]);
    if (currency !== undefined) conditions.push(['d.currency = ?', [currency]]);
    if (from !== undefined) conditions.push(['d.found_at >= ?', [from]]);
    if (to !== undefined) conditions.push(['d.found_at < ?', [to]]);
    if (after !== undefined) conditions.push(['d.id < ?', [after]]);
    const where = conditions.length > 0 ? `where ${conditions.map(([one]) => one).join(' and ')}` : '';
    return this.read(`${where} order by d.id desc limit ?`, [
      ...conditions.flatMap(([, values]) => values),
      limit,
    ]);
  }

  /** Those whose newest row is in a report, oldest first. */
  ofReport(report: number, limit: number): Promise<Listed[]> {
    return this.read('where d.report = ? order by d.id limit ?', [report, limit]);
  }

  /** How many are open whose newest row is in a report, by kind. */
  async counts(reports: readonly number[]): Promise<Map<number, Record<string, number>>> {
    const rows = await this.store.rows<{ report: number; kind: string; n: number }>({
      text: `select report, kind, count(*) as n from differences where state = 'open'
        and report in (${reports.map(() => '?').join(', ') || 'null'}) group by report, kind order by kind`,
      values: reports,
    });
    const counts = new Map<number, Record<string, number>>();
    for (const { report, kind, n } of rows) counts.set(report, { ...counts.get(report), [kind]: n });
    return counts;
  }

  /** Writes what has changed, in one statement. */
  async save(differences: readonly Difference[]): Promise<void> {
    if (differences.length === 0) return;
    const rows = differences.map((one) => [
      ...[
        one.id,
        one.ref,
        one.part,
        one.currency,
        one.kind,
        one.state,
        Number(one.gone),
        one.report,
        one.line,
      ],
      ...[
        one.reference,
        one.paymentId,
        one.movementId,
        one.foundAt,
        textOf(one.expected),
        one.expectedCurrency,
      ],
      ...[textOf(one.found), one.note, one.closedBy, one.closedAt, one.reason],
    ]);
    const values = COLUMNS.map((name, at) =>
      NUMBERS.includes(name) ? `cast(value ->> ${at} as bigint)` : `value ->> ${at}`,
    );
    const changed = COLUMNS.filter((name) => !KEPT.includes(name));
    await this.store.run({
      text: `insert into differences (${COLUMNS.join(', ')}) select ${values.join(', ')} from ${listed(this.store.kind, 'rows')}
        where true on conflict (ref, part, currency) do update set ${changed.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      values: [JSON.stringify(rows)],
    });
  }

  /** Changes some columns of one, while a condition holds. Whether it did. */
  async change(
    id: string,
    columns: Readonly<Record<string, SqlValue>>,
    condition: 'true' | `state = '${'open' | 'closed'}'`,
  ): Promise<boolean> {
    const names = Object.keys(columns);
    const changed = await this.store.run({
      text: `update differences set ${names.map((name) => `${name} = ?`).join(', ')} where id = ? and ${condition}`,
      values: [...Object.values(columns), id],
    });
    return changed === 1;
  }

  private async read(rest: string, values: readonly SqlValue[]): Promise<Listed[]> {
    const rows = await this.store.rows<Row>({
      text: `select ${READ}, s.id as settlement from differences d left join settlements s on s.n = d.report ${rest}`,
      values,
    });
    return rows.map((row) => ({
      ...{
        id: row.id,
        ref: row.ref,
        part: row.part,
        currency: row.currency,
        kind: row.kind,
        state: row.state,
      },
      ...{
        gone: row.gone === 1,
        report: row.report,
        line: row.line,
        reference: row.reference,
        note: row.note,
      },
      ...{ paymentId: row.payment_id, movementId: row.movement_id, foundAt: row.found_at },
      ...{
        expected: amountOf(row.expected),
        expectedCurrency: row.expected_currency,
        found: amountOf(row.found),
      },
      ...{
        closedBy: row.closed_by,
        closedAt: row.closed_at,
        reason: row.reason,
        settlementId: row.settlement,
      },
    }));
  }
}

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : String(amount);
}

function amountOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
