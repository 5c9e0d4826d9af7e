import type { JSX } from 'preact';
import type { SettlementDto, SettlementTotalsDto } from '../generated/api.js';
import { Differences } from './differences.js';
import { Form, type Field } from './form.js';
import { List, Table, type Column } from './list.js';
import { Badge, Facts, Loaded, Moment, Page, Sum } from './parts.js';
import { useRead } from './reading.js';
import { hrefOf } from './route.js';
import { answer } from './service.js';
import { useSession } from './session.js';
import { dayWords } from './times.js';
import { inWords, personOf } from './words.js';

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
  return (
    <Page title="Settlements" about="The gateway’s settlement reports, compared with the payments here.">
      {caller.access !== 'read' && <Upload />}
      <List
        {...{ columns: COLUMNS, caption: 'Reports, newest first', empty: 'No report has been uploaded yet.' }}
        read={(at) => answer(service.GET('/v1/settlements', { params: { query: at } }))}
      />
    </Page>
  );
}

/** A report by its days, by which people know it. */
function reportName({ from, to, receivedAt }: SettlementDto): string {
  const [first = '', last = ''] = [from, to].map((at) => dayWords((at ?? receivedAt).slice(0, 10)));
  return first === last ? first : `${first} – ${last}`;
}

function Count({ counts }: { counts: Record<string, number> }): JSX.Element {
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return <Badge kind={count === 0 ? 'succeeded' : 'alert'}>{count === 0 ? 'None' : count}</Badge>;
}

const REPORT: Field = { name: 'report', label: 'Settlement report (CSV, also as .gz)', kind: 'file' };

function Upload(): JSX.Element {
  const { service, announce } = useSession();
  const upload = async (data: FormData): Promise<void> => {
    announce('Comparing the report…');
    const options = {
      body: '',
      bodySerializer: () => data.get('report'),
      headers: { 'content-type': 'text/csv' },
    };
    const { id } = await answer(service.POST('/v1/settlements', options)).finally(() => announce(''));
    location.assign(hrefOf(`settlements/${id}`));
  };
  return (
    <Form
      {...{ fields: [REPORT], action: 'Upload', label: 'Upload a report', kind: 'card stack narrow' }}
      run={(_, data) => upload(data)}
    />
  );
}

/** One settlement report: its totals, its rows in figures, and its differences. */
export function SettlementPage({ id }: { id: string }): JSX.Element {
  const { service } = useSession();
  const params = { path: { id } };
  const report = useRead(() => answer(service.GET('/v1/settlements/{id}', { params })));
  return (
    <Page title={report.value ? `Settlement ${reportName(report.value)}` : 'Settlement'}>
      <Loaded of={report}>{(value) => <Report report={value} />}</Loaded>
      <h3>Differences</h3>
      <Differences
        empty="This report agrees with the payments here."
        read={() => answer(service.GET('/v1/settlements/{id}/differences', { params }))}
      />
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
    inWords(name),
    (totals) => <Sum amount={totals[name]} currency={totals.currency} />,
    'number',
  ]),
];

function Report({ report }: { report: SettlementDto }): JSX.Element {
  const { skipped, setAside } = report;
  const lines = setAside.map(({ line, column }) => `line ${line}${column === null ? '' : ` (${column})`}`);
  return (
    <>
      <Facts
        facts={[
          ['Received', <Moment at={report.receivedAt} />],
          ['Uploaded by', personOf(report.actor)],
          ['Rows', report.rows],
          ['Seen in an earlier report', report.rowsSeen],
          ['Of others', report.rowsOther],
          ['Skipped', skipped.status + skipped.ignore],
          ['Set aside, because they cannot be read', [report.rowsSetAside, ...lines].join(', ')],
        ]}
      />
      <Table {...{ caption: 'Totals', columns: TOTAL_COLUMNS, rows: report.totals }} />
    </>
  );
}
