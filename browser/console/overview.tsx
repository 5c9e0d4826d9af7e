import type { JSX } from 'preact';
import { total } from './amounts.js';
import type { OverviewDto } from '../generated/api.js';
import { PaidCurve } from './curve.js';
import { Table, type Column } from './list.js';
import { paidDays } from './paid-days.js';
import { Loaded, Page, Sum } from './parts.js';
import { useRead } from './reading.js';
import { hrefOf, type Query } from './route.js';
import { answer } from './service.js';
import { useSession } from './session.js';
import { dateTime, dayIn, daysBefore } from './times.js';
import { inWords } from './words.js';

interface Shown {
  overview: OverviewDto;
  /** How many wait for approval; unknown to a books key. */
  approvals: number | undefined;
  /** In the time zone of the books. */
  today: string;
}

/** What a merchant wants to know first. Each figure leads to what it counts. */
export function OverviewPage(): JSX.Element {
  const { service, caller } = useSession();
  const read = async (): Promise<Shown> => {
    const waiting = { params: { query: { state: 'waiting', limit: '100' } } } as const;
    const [overview, approvals] = await Promise.all([
      answer(service.GET('/v1/reports/overview')),
      caller.access === 'books' ? undefined : answer(service.GET('/v1/approvals', waiting)),
    ]);
    return { overview, approvals: approvals?.data.length, today: dayIn(caller.timeZone, overview.at) };
  };
  return (
    <Page title="Overview">
      <Loaded of={useRead(read, true)}>
        {(shown) => (
          <>
            <Paid {...shown} />
            <h3>Now</h3>
            <Figures figures={figuresNow(shown)} />
            <h3>Success by method, in 30 days</h3>
            <Methods {...shown} />
            <p class="hint">As of {dateTime(shown.overview.at)}. This page refreshes itself.</p>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** A figure, what it is, and where it leads. */
type Figure = readonly [
  name: string,
  value: JSX.Element | number,
  note: string,
  href: string,
  isAlert?: boolean,
];

function Figures({ figures }: { figures: readonly Figure[] }): JSX.Element {
  return (
    <div class="figures">
      {figures.map(([name, value, note, href, isAlert = false]) => (
        <a key={name} class={`card figure ${isAlert ? 'alerting' : ''}`} href={href}>
          <span class="strong">{name}</span> <strong>{value}</strong> <span class="muted">{note}</span>
        </a>
      ))}
    </div>
  );
}

/** Paid today and in 30 days, and the curve, for each currency. */
function Paid({ overview: { paid }, today }: Shown): JSX.Element {
  const currencies = [...new Set(paid.map(({ currency }) => currency))].sort();
  if (currencies.length === 0) return <p class="muted">Nothing was paid in the last 30 days.</p>;
  const section = (currency: string): JSX.Element => {
    const days = paidDays(paid, currency, today);
    const figure = (name: string, of: typeof days): Figure => [
      name,
      <Sum amount={total(of.map(({ amount }) => amount))} currency={currency} />,
      `Payments: ${of.reduce((sum, day) => sum + day.count, 0)}`,
      hrefOf('payments', { status: 'succeeded', currency, from: of[0]?.day, to: today }),
    ];
    return (
      <section key={currency} class="stack" aria-label={`Paid in ${currency}`}>
        <Figures figures={[figure('Paid today', days.slice(-1)), figure('Paid in 30 days', days)]} />
        <PaidCurve days={days} currency={currency} />
      </section>
    );
  };
  return <>{currencies.map(section)}</>;
}

function figuresNow({ overview, approvals }: Shown): Figure[] {
  const { open, openDifferences, undeliveredEvents } = overview;
  const { needsAttention, duplicates, processing, requiresAction, authorized } = open;
  const list = (query: Query): string => hrefOf('payments', query);
  const differences = hrefOf('differences', { state: 'open' });
  const waiting: Figure[] =
    approvals === undefined
      ? []
      : [['Approvals', approvals, 'Wait for a second person', hrefOf('approvals'), approvals > 0]];
  return [
    ['Attention', needsAttention, 'A person must look', list({ needsAttention: 'true' }), needsAttention > 0],
    ['Unknown', processing, 'No clear answer yet', list({ status: 'processing' })],
    ['Waiting', requiresAction, 'For the payer', list({ status: 'requires_action' })],
    ['Held', authorized, 'To be completed', list({ status: 'authorized' })],
    ['Paid twice', duplicates, 'Duplicates that hold money', list({ duplicate: 'true' }), duplicates > 0],
    ...waiting,
    ['Differences', openDifferences, 'Of reports and the ledger', differences, openDifferences > 0],
    ['Undelivered events', undeliveredEvents, 'For your server', list({}), undeliveredEvents > 100],
  ];
}

type Share = OverviewDto['methods'][number];

function Methods({ overview: { methods }, today }: Shown): JSX.Element {
  if (methods.length === 0) return <p class="muted">No payments yet.</p>;
  const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
  const link = (method: string): string => hrefOf('payments', { method, from: daysBefore(today, 29) });
  const columns: Column<Share>[] = [
    ['Method', ({ method }) => <a href={link(method)}>{inWords(method)}</a>],
    [
      'Share',
      ({ paid, notPaid }) => (paid + notPaid === 0 ? '–' : percent.format(paid / (paid + notPaid))),
      'number',
    ],
    ['Succeeded', ({ paid, notPaid }) => `${paid} of ${paid + notPaid}`, 'number'],
  ];
  return <Table {...{ columns, rows: methods, caption: 'Success by method' }} />;
}
