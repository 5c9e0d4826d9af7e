import type { JSX } from 'preact';
import type { SettlementDto, TotalsDto } from './books.js';
import { Differences } from './differences.js';
import { Problem } from './fields.js';
import { Table, type Column } from './list.js';
import { Facts, Moment, Sum } from './parts.js';
import { useList, useRead } from './reading.js';
import { answer } from './service.js';
import { useSession } from './session.js';
import { reportName } from './settlements.js';
import { personOf } from './words.js';

/** One settlement report: its totals, its rows in figures, and its differences. */
export function SettlementPage({ id }: { id: string }): JSX.Element {
  const { service } = useSession();
  const path = { id };
  const { value, error, again } = useRead(() => answer(service.GET('/v1/settlements/{id}', { params: { path } })), [id]);
  const differences = useList(
    (cursor) =>
      answer(service.GET('/v1/settlements/{id}/differences', { params: { path, query: cursor ? { cursor } : {} } })),
    [id],
  );
  const changed = async (): Promise<void> => {
    await Promise.all([again(), differences.again()]);
  };
  return (
    <section class="stack" aria-label="Settlement report">
      <h2 tabIndex={-1}>{value ? `Settlement ${reportName(value)}` : 'Settlement'}</h2>
      <Problem error={error} />
      {value && <Report report={value} />}
      <h3>Differences</h3>
      <Differences listing={{ ...differences, again: changed }} empty="This report agrees with the payments here." />
    </section>
  );
}

const TOTALS: readonly (readonly [string, keyof TotalsDto])[] = [
  ['Gross', 'gross'],
  ['Fees', 'fees'],
  ['Net', 'net'],
  ['Refunds', 'refunds'],
  ['Chargebacks', 'chargebacks'],
  ['Reversals', 'reversals'],
  ['Payouts', 'payouts'],
  ['Unexplained', 'unexplained'],
];

function Report({ report }: { report: SettlementDto }): JSX.Element {
  const { receivedAt, actor, rows, rowsSeen, rowsOther, rowsSetAside, setAside, skipped, totals } = report;
  const columns: Column<[string, TotalsDto]>[] = [
    { name: 'Currency', show: ([currency]) => currency },
    ...TOTALS.map(([name, total]) => ({
      ...{ name, kind: 'number' as const },
      show: ([currency, of]: [string, TotalsDto]) => <Sum amount={of[total]} currency={currency} />,
    })),
  ];
  const odd = Object.values(totals).some(({ unexplained }) => /[1-9]/.test(unexplained));
  return (
    <>
      <Facts
        rows={[
          ['Received', <Moment at={receivedAt} />],
          ['Uploaded by', personOf(actor)],
          ['Rows', rows],
          ['Seen in an earlier report', rowsSeen],
          ['Of others', rowsOther],
          ['Skipped by status', skipped.status],
          ['Ignored by type', skipped.ignore],
          ['Set aside', rowsSetAside],
        ]}
      />
      <Table caption="Totals by currency" columns={columns} rows={Object.entries(totals)} keyOf={([currency]) => currency} />
      {odd && <p class="told">Rows of this report contradict themselves: see “Unexplained”.</p>}
      {setAside.length > 0 && (
        <details>
          <summary>Rows set aside, because they cannot be read</summary>
          <ul>
            {setAside.map(({ line, column }) => (
              <li key={`${line} ${column}`}>
                Line {line}, {column}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
