import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MovementSummaryRowDto, MovementDto } from '../generated/api.js';
import { Problem } from './form.js';
import { List, Table, type Column } from './list.js';
import { Badge, Loaded, Moment, Page, PaymentLink, Sum } from './parts.js';
import { useRead } from './reading.js';
import { hrefOf, type Query } from './route.js';
import { answer } from './service.js';
import { useSession } from './session.js';
import { lastDay, monthWords } from './times.js';
import { inWords } from './words.js';

/** The ledger: money that moved, by month, or one month's entries. */
export function LedgerPage({ query }: { query: Query }): JSX.Element {
  const month = /^\d{4}-\d{2}$/.exec(query['month'] ?? '')?.[0];
  return month === undefined ? <Months /> : <Month month={month} />;
}

const FIGURES = ['captured', 'refunded', 'reversed', 'chargedBack', 'net'] as const;

const MONTHS: readonly Column<MovementSummaryRowDto>[] = [
  ['Month', ({ month = '' }) => <a href={hrefOf('ledger', { month })}>{monthWords(month)}</a>],
  ['Entries', ({ count }) => count, 'number'],
  ...FIGURES.map((name): Column<MovementSummaryRowDto> => [
    name === 'chargedBack' ? 'Charged back' : inWords(name),
    (row) => <Sum amount={row[name]} currency={row.currency} />,
    'number',
  ]),
];

function keyOf({ month = '', currency }: MovementSummaryRowDto): string {
  return `${month} ${currency}`;
}

function Months(): JSX.Element {
  const { service } = useSession();
  const months = { params: { query: { by: 'month' } } } as const;
  const reading = useRead(() => answer(service.GET('/v1/reports/summary', months)));
  return (
    <Page
      title="Ledger"
      about="Money that moved in the last 13 months. Net is what is left of what was captured."
    >
      <Loaded of={reading}>
        {({ movements }) => (
          <Table
            {...{ columns: MONTHS, caption: 'Money that moved, newest month first' }}
            rows={movements.toSorted((one, other) => keyOf(other).localeCompare(keyOf(one)))}
          />
        )}
      </Loaded>
    </Page>
  );
}

const MOVEMENTS: readonly Column<MovementDto>[] = [
  ['Order', ({ paymentId, reference }) => <PaymentLink id={paymentId} name={reference} />],
  ['What', ({ kind }) => inWords(kind)],
  [
    'Amount',
    (row) => <Sum amount={`${row.direction === 'out' ? '-' : ''}${row.amount}`} currency={row.currency} />,
    'number',
  ],
  ['Settled', ({ settled }) => settled && <a href={hrefOf(`settlements/${settled.settlementId}`)}>Yes</a>],
  ['When', ({ at, late }) => [<Moment at={at} />, late && [' ', <Badge kind="alert">Late</Badge>]], 'when'],
];

function Month({ month }: { month: string }): JSX.Element {
  const { service } = useSession();
  const [error, setError] = useState<unknown>();
  const range = { from: `${month}-01`, to: lastDay(month) };
  const download = async (): Promise<void> => {
    const params = { query: { ...range, for: 'spreadsheet' } } as const;
    const file = await answer(service.GET('/v1/reports/movements.csv', { params, parseAs: 'blob' }));
    const href = URL.createObjectURL(file);
    Object.assign(document.createElement('a'), { href, download: `ledger-${month}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  };
  return (
    <Page title={`Ledger of ${monthWords(month)}`}>
      <div class="buttons">
        <a class="button" href={hrefOf('ledger')}>
          All months
        </a>
        <button type="button" onClick={() => void download().then(() => setError(undefined), setError)}>
          Download CSV
        </button>
      </div>
      <Problem error={error} />
      <List
        {...{ columns: MOVEMENTS, caption: 'Ledger entries, oldest first', empty: 'No money moved.' }}
        read={(at) => answer(service.GET('/v1/movements', { params: { query: { ...range, ...at } } }))}
      />
    </Page>
  );
}
