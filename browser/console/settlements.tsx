import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SettlementDto, SettlementTotalsDto } from '../generated/api.js';
import { Differences } from './differences.js';
import { Problem } from './form.js';
import { List, Table, type Column } from './list.js';
import { Badge, Facts, Loaded, Moment, Page, Sum } from './parts.js';
import { useList, useRead } from './reading.js';
import { hrefOf } from './route.js';
import { answer } from './service.js';
import { useSession } from './session.js';
import { dayWords } from './times.js';
import { personOf } from './words.js';

const COLUMNS: readonly Column<SettlementDto>[] = [
  ['Report', (report) => <a href={hrefOf(`settlements/${report.id}`)}>{reportName(report)}</a>],
  ['Open differences', ({ counts }) => <Count counts={counts} />],
  ['Rows', ({ rows }) => rows, 'number'],
  ['Uploaded by', ({ actor }) => personOf(actor)],
  ['Received', ({ receivedAt }) => <Moment at={receivedAt} />, 'when'],
];

/** The gateway's settlement reports, and a form that uploads another one. */
export function SettlementsPage(): JSX.Element {
  const { service, caller } = useSession();
  const listing = useList((at) => answer(service.GET('/v1/settlements', { params: { query: at } })), []);
  return (
    <Page title="Settlements">
      <p class="muted">The gateway’s settlement reports, compared with the payments here.</p>
      {caller.access !== 'read' && <Upload />}
      <List
        {...{
          columns: COLUMNS,
          listing,
          caption: 'Reports, newest first',
          empty: 'No report has been uploaded yet.',
        }}
      />
    </Page>
  );
}

/** A report by its days, by which people know it. */
function reportName({ from, to, receivedAt }: SettlementDto): string {
  const [first = '', last = ''] = [from ?? receivedAt, to ?? receivedAt].map((at) =>
    dayWords(at.slice(0, 10)),
  );
  return first === last ? first : `${first} – ${last}`;
}

function Count({ counts }: { counts: Record<string, number> }): JSX.Element {
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return <Badge kind={count === 0 ? 'succeeded' : 'alert'}>{count === 0 ? 'None' : count}</Badge>;
}

function Upload(): JSX.Element {
  const { service } = useSession();
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const upload = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const report = event.target instanceof HTMLFormElement ? new FormData(event.target).get('report') : null;
    if (!(report instanceof File) || state.isBusy) return;
    setState({ isBusy: true });
    const options = { body: '', bodySerializer: () => report, headers: { 'content-type': 'text/csv' } };
    await answer(service.POST('/v1/settlements', options)).then(
      ({ id }) => location.assign(hrefOf(`settlements/${id}`)),
      (error: unknown) => setState({ isBusy: false, error }),
    );
  };
  return (
    <form class="card stack narrow" aria-label="Upload a report" onSubmit={(event) => void upload(event)}>
      <label class="field">
        Settlement report (CSV, also as .gz)
        <input type="file" name="report" accept=".csv,.gz,text/csv" required />
      </label>
      <Problem error={state.error} />
      <div class="buttons">
        <button type="submit" class="primary">
          Upload
        </button>
        <span role="status">{state.isBusy && 'Comparing the report…'}</span>
      </div>
    </form>
  );
}

/** One settlement report: its totals, its rows in figures, and its differences. */
export function SettlementPage({ id }: { id: string }): JSX.Element {
  const { service } = useSession();
  const path = { id };
  const report = useRead(() => answer(service.GET('/v1/settlements/{id}', { params: { path } })), [id]);
  const differences = useList(
    () => answer(service.GET('/v1/settlements/{id}/differences', { params: { path } })),
    [id],
  );
  return (
    <Page title={report.value ? `Settlement ${reportName(report.value)}` : 'Settlement'}>
      <Loaded of={report}>{(value) => <Report report={value} />}</Loaded>
      <h3>Differences</h3>
      <Differences listing={differences} empty="This report agrees with the payments here." />
    </Page>
  );
}

const TOTALS = [
  'gross',
  'fees',
  'net',
  'refunds',
  'chargebacks',
  'reversals',
  'payouts',
  'unexplained',
] as const;

const TOTAL_COLUMNS: readonly Column<SettlementTotalsDto>[] = [
  ['Currency', ({ currency }) => currency],
  ...TOTALS.map((name): Column<SettlementTotalsDto> => [
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    (totals) => <Sum amount={totals[name]} currency={totals.currency} />,
    'number',
  ]),
];

function Report({ report }: { report: SettlementDto }): JSX.Element {
  const { rows, rowsSeen, rowsOther, rowsSetAside, setAside, skipped, totals } = report;
  const isOdd = totals.some(({ unexplained }) => /[1-9]/.test(unexplained));
  return (
    <>
      <Facts
        facts={[
          ['Received', <Moment at={report.receivedAt} />],
          ['Uploaded by', personOf(report.actor)],
          ['Rows', rows],
          ['Seen in an earlier report', rowsSeen],
          ['Of others', rowsOther],
          ['Skipped', skipped.status + skipped.ignore],
          ['Set aside, because they cannot be read', rowsSetAside],
        ]}
      />
      {setAside.length > 0 && (
        <p>
          Set aside:{' '}
          {setAside
            .map(({ line, column }) => `line ${line}${column === null ? '' : ` (${column})`}`)
            .join(', ')}
          .
        </p>
      )}
      <Table caption="Totals" columns={TOTAL_COLUMNS} rows={totals} keyOf={({ currency }) => currency} />
      {isOdd && <p class="strong">Rows of this report contradict themselves: see “Unexplained”.</p>}
    </>
  );
}
