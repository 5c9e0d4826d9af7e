import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MovementSummaryRowDto, MovementDto } from '../generated/api.js';
import { Problem } from './form.js';
import { List, Table, type Column } from './list.js';
import { Badge, Loaded, Moment, Page, saveFile, Sum } from './parts.js';
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

function figure(
  name: string,
  key: 'captured' | 'refunded' | 'reversed' | 'chargedBack' | 'net',
): Column<MovementSummaryRowDto> {
  return [name, (row) => <Sum amount={row[key]} currency={row.currency} />, 'number'];
}

const MONTHS: readonly Column<MovementSummaryRowDto>[] = [
  ['Month', ({ month = '' }) => <a href={hrefOf('ledger', { month })}>{monthWords(month)}</a>],
  ['Entries', ({ count }) => count, 'number'],
  figure('Captured', 'captured'),
  figure('Refunded', 'refunded'),
  figure('Reversed', 'reversed'),
  figure('Charged back', 'chargedBack'),
  figure('Net', 'net'),
];

function keyOf({ month = '', currency }: MovementSummaryRowDto): string {
  return `${month} ${currency}`;
}

function Months(): JSX.Element {
  const { service } = useSession();
  const months = { params: { query: { by: 'month' } } } as const;
  const reading = useRead(() => answer(service.GET('/v1/reports/summary', months)), []);
  return (
    <Page title="Ledger">
      <p class="muted">Money that moved in the last 13 months. Net is what is left of what was captured.</p>
      <Loaded of={reading}>
        {({ movements }) => (
          <Table
            {...{ columns: MONTHS, caption: 'Money that moved, newest month first' }}
            rows={movements.toSorted((one, other) => keyOf(other).localeCompare(keyOf(one)))}
            keyOf={keyOf}
          />
        )}
      </Loaded>
    </Page>
  );
}

const MOVEMENTS: readonly Column<MovementDto>[] = [
  ['What', ({ kind }) => movementWords(kind)],
  ['Order', ({ paymentId, reference }) => <a href={hrefOf(`payments/${paymentId}`)}>{reference}</a>],
  [
    'Amount',
    (row) => <Sum amount={`${row.direction === 'out' ? '-' : ''}${row.amount}`} currency={row.currency} />,
    'number',
  ],
  [
    'Settled',
    ({ settled }) =>
      settled && (
        <a href={hrefOf(`settlements/${settled.settlementId}`)}>
          {settled.at ? dateTime(settled.at) : 'Yes'}
        </a>
      ),
  ],
  ['When', ({ at, late }) => [<Moment at={at} />, late && [' ', <Badge kind="alert">Late</Badge>]], 'when'],
];

function Month({ month }: { month: string }): JSX.Element {
  const { service } = useSession();
  const [error, setError] = useState<unknown>();
  const range = { from: `${month}-01`, to: lastDay(month) };
  const listing = useList(
    (at) => answer(service.GET('/v1/movements', { params: { query: { ...range, ...at } } })),
    [month],
  );
  const download = async (): Promise<void> => {
    const query = { ...range, for: 'spreadsheet' } as const;
    const file = await answer(
      service.GET('/v1/reports/movements.csv', { params: { query }, parseAs: 'blob' }),
    );
    saveFile(file, `ledger-${month}.csv`);
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
        {...{
          columns: MOVEMENTS,
          listing,
          caption: 'Ledger entries, oldest first',
          empty: 'No money moved.',
        }}
      />
    </Page>
  );
}
