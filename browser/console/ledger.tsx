import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MonthDto, MovementDto } from './books.js';
import { Problem } from './fields.js';
import { List, Table, type Column } from './list.js';
import { Badge, Moment, saveFile, Sum } from './parts.js';
import { useList, useRead } from './reading.js';
import { hrefOf, type Query } from './route.js';
import { answer } from './service.js';
import { useSession } from './session.js';
import { dateTime, lastDay, monthWords } from './times.js';
import { movementWords } from './words.js';

/** The ledger: money that moved, by month, or one month's entries. */
export function LedgerPage({ query }: { query: Query }): JSX.Element {
  const month = /^\d{4}-\d{2}$/.exec(query['month'] ?? '')?.[0];
  return month === undefined ? <Months /> : <Month key={month} month={month} />;
}

const FIGURES: readonly (readonly [string, 'captured' | 'refunded' | 'reversed' | 'chargedBack' | 'net'])[] = [
  ['Captured', 'captured'],
  ['Refunded', 'refunded'],
  ['Reversed', 'reversed'],
  ['Charged back', 'chargedBack'],
  ['Net', 'net'],
];

const MONTHS: readonly Column<MonthDto>[] = [
  { name: 'Month', show: ({ month }) => <a href={hrefOf('ledger', { month })}>{monthWords(month)}</a> },
  { name: 'Entries', kind: 'number', show: ({ count }) => count },
  ...FIGURES.map(([name, figure]) => ({
    ...{ name, kind: 'number' as const },
    show: (row: MonthDto) => <Sum amount={row[figure]} currency={row.currency} />,
  })),
];

function Months(): JSX.Element {
  const { service } = useSession();
  const { value, error } = useRead(
    () => answer(service.GET('/v1/reports/summary', { params: { query: { by: 'month' } } })),
    [],
  );
  const rows = value?.movements.toSorted((one, other) => other.month.localeCompare(one.month));
  return (
    <section class="stack" aria-label="Ledger">
      <h2 tabIndex={-1}>Ledger</h2>
      <p class="muted">Money that moved, by month. Net is what is left of what was captured.</p>
      <Problem error={error} />
      {rows?.length === 0 && <p class="muted">No money has moved in the last 13 months.</p>}
      {rows !== undefined && rows.length > 0 && (
        <Table
          {...{ columns: MONTHS, rows, keyOf: ({ month, currency }) => `${month} ${currency}` }}
          caption="Money that moved, newest month first"
        />
      )}
    </section>
  );
}

const MOVEMENTS: readonly Column<MovementDto>[] = [
  { name: 'What', show: ({ kind }) => movementWords(kind) },
  { name: 'Order', show: ({ paymentId, reference }) => <a href={hrefOf(`payments/${paymentId}`)}>{reference}</a> },
  {
    ...{ name: 'Amount', kind: 'number' },
    show: ({ direction, amount, currency }) => (
      <Sum amount={direction === 'out' ? `-${amount}` : amount} currency={currency} />
    ),
  },
  {
    name: 'Settled',
    show: ({ settled }) =>
      settled && <a href={hrefOf(`settlements/${settled.settlementId}`)}>{dateTime(settled.at)}</a>,
  },
  {
    ...{ name: 'When', kind: 'when' },
    show: ({ at, late }) => (
      <>
        <Moment at={at} /> {late && <Badge kind="alert">Late</Badge>}
      </>
    ),
  },
];

function Month({ month }: { month: string }): JSX.Element {
  const { service } = useSession();
  const range = { from: `${month}-01`, to: lastDay(month) };
  const listing = useList(
    (cursor) => {
      const query = { ...range, ...(cursor ? { cursor } : {}) };
      return answer(service.GET('/v1/movements', { params: { query } }));
    },
    [month],
  );
  return (
    <section class="stack" aria-label="Ledger of one month">
      <h2 tabIndex={-1}>Ledger of {monthWords(month)}</h2>
      <div class="buttons">
        <a class="button" href={hrefOf('ledger')}>
          All months
        </a>
        <Download month={month} range={range} />
      </div>
      <List {...{ columns: MOVEMENTS, listing, empty: 'No money moved.' }} caption="Ledger entries, oldest first" />
    </section>
  );
}

function Download({ month, range }: { month: string; range: { from: string; to: string } }): JSX.Element {
  const { service } = useSession();
  const [error, setError] = useState<unknown>();
  const download = async (): Promise<void> => {
    const query = { ...range, for: 'spreadsheet' as const };
    const file = await answer(service.GET('/v1/reports/movements.csv', { params: { query }, parseAs: 'blob' }));
    saveFile(file, `ledger-${month}.csv`);
  };
  return (
    <>
      <button
        type="button"
        onClick={() => {
          setError(undefined);
          void download().catch(setError);
        }}
      >
        Download CSV
      </button>
      <Problem error={error} />
    </>
  );
}
