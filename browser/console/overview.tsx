import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { total } from './amounts.js';
import type { OverviewDto } from './books.js';
import { PaidCurve } from './curve.js';
import { Problem } from './fields.js';
import { Table, type Column } from './list.js';
import { paidDays } from './paid-days.js';
import { Sum } from './parts.js';
import { useRead } from './reading.js';
import { hrefOf } from './route.js';
import { answer } from './service.js';
import { mayReadAll, useSession } from './session.js';
import { ago, dateTime, dayIn, daysBefore } from './times.js';
import { methodWord } from './words.js';

const FRESH_SECONDS = 15;

/** What a merchant wants to know first. Each figure leads to what it counts. */
export function OverviewPage(): JSX.Element {
  const { service, caller, announce } = useSession();
  const { value, error } = useRead(
    async () => {
      const waiting = { params: { query: { state: 'waiting', limit: '100' } } } as const;
      const [overview, approvals] = await Promise.all([
        answer(service.GET('/v1/reports/overview')),
        mayReadAll(caller) ? answer(service.GET('/v1/approvals', waiting)) : undefined,
      ]);
      return { overview, approvals: approvals?.data.length };
    },
    [],
    FRESH_SECONDS,
  );
  const attention = value?.overview.open.needsAttention;
  const before = useRef<number>();
  useEffect(() => {
    if (before.current !== undefined && attention !== undefined && attention > before.current)
      announce(`Payments that need attention: ${attention}.`);
    before.current = attention;
  }, [attention]);
  return (
    <section class="stack" aria-label="Overview">
      <h2 tabIndex={-1}>Overview</h2>
      <Problem error={error} />
      {value && (
        <>
          <Paid overview={value.overview} zone={caller.timeZone} />
          <h3>Now</h3>
          <Now {...value} />
          <h3>Success by method, in 30 days</h3>
          <Methods overview={value.overview} zone={caller.timeZone} />
          <p class="hint">As of {dateTime(value.overview.at)}. This page refreshes itself.</p>
        </>
      )}
    </section>
  );
}

interface FigureProps {
  label: string;
  href: string;
  note: string;
  isAlert?: boolean;
  children: ComponentChildren;
}

function Figure({ label, href, note, isAlert = false, children }: FigureProps): JSX.Element {
  return (
    <a class={`figure ${isAlert ? 'alerting' : ''}`} href={href}>
      <span class="strong">{label}</span>
      <strong>{children}</strong>
      <span class="muted">{note}</span>
    </a>
  );
}

/** Paid today and in 30 days, for each currency. */
function Paid({ overview: { paid, at }, zone }: { overview: OverviewDto; zone: string }): JSX.Element {
  const today = dayIn(zone, at);
  const currencies = [...new Set(paid.map(({ currency }) => currency))].sort();
  if (currencies.length === 0) return <p class="muted">Nothing was paid in the last 30 days.</p>;
  return (
    <>
      {currencies.map((currency) => {
        const days = paidDays(paid, currency, today);
        const now = days.at(-1);
        const count = days.reduce((sum, day) => sum + day.count, 0);
        const link = (from: string | undefined): string =>
          hrefOf('payments', { status: 'succeeded', currency, from, to: today });
        return (
          <section key={currency} class="paid" aria-label={`Paid in ${currency}`}>
            <div class="figures">
              <Figure label="Paid today" href={link(today)} note={counted(now?.count ?? 0)}>
                <Sum amount={now?.amount ?? '0'} currency={currency} />
              </Figure>
              <Figure label="Paid in 30 days" href={link(days[0]?.day)} note={counted(count)}>
                <Sum amount={total(days.map(({ amount }) => amount))} currency={currency} />
              </Figure>
            </div>
            <PaidCurve days={days} currency={currency} />
          </section>
        );
      })}
    </>
  );
}

function counted(count: number): string {
  return count === 1 ? '1 payment' : `${count} payments`;
}

function Now({ overview, approvals }: { overview: OverviewDto; approvals: number | undefined }): JSX.Element {
  const { at, open, openDifferences, undeliveredEvents, lastSettlement } = overview;
  const { needsAttention, duplicates, processing, requiresAction, authorized, oldest } = open;
  const list = (query: Record<string, string>): string => hrefOf('payments', query);
  return (
    <div class="figures">
      <Figure
        {...{ label: 'Needs attention', href: list({ needsAttention: 'true' }), isAlert: needsAttention > 0 }}
        note="A person must look"
      >
        {needsAttention}
      </Figure>
      <Figure
        {...{ label: 'Unknown', href: list({ status: 'processing' }) }}
        note={oldest === null ? 'No clear answer yet' : `Oldest open payment: ${ago(oldest.createdAt, at)}`}
      >
        {processing}
      </Figure>
      <Figure label="Waiting" href={list({ status: 'requires_action' })} note="For the payer">
        {requiresAction}
      </Figure>
      <Figure label="Held" href={list({ status: 'authorized' })} note="To be completed">
        {authorized}
      </Figure>
      <Figure
        {...{ label: 'Paid twice', href: list({ duplicate: 'true' }), isAlert: duplicates > 0 }}
        note="Duplicates that hold money"
      >
        {duplicates}
      </Figure>
      {approvals !== undefined && (
        <Figure label="Approvals" href={hrefOf('approvals')} note="Wait for a second person" isAlert={approvals > 0}>
          {approvals}
        </Figure>
      )}
      <Figure
        {...{ label: 'Differences', href: hrefOf('differences', { state: 'open' }), isAlert: openDifferences > 0 }}
        note={lastSettlement === null ? 'No settlement report yet' : `Last report: ${dateTime(lastSettlement.receivedAt)}`}
      >
        {openDifferences}
      </Figure>
      <Figure label="Undelivered events" href={list({})} note="For your server" isAlert={undeliveredEvents > 100}>
        {undeliveredEvents}
      </Figure>
    </div>
  );
}

type Share = OverviewDto['methods'][number];

function Methods({ overview: { methods, at }, zone }: { overview: OverviewDto; zone: string }): JSX.Element {
  if (methods.length === 0) return <p class="muted">No payments yet.</p>;
  const from = daysBefore(dayIn(zone, at), 29);
  const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
  const share = ({ paid, notPaid }: Share): number => (paid + notPaid === 0 ? 0 : paid / (paid + notPaid));
  const columns: Column<Share>[] = [
    { name: 'Method', show: ({ method }) => <a href={hrefOf('payments', { method, from })}>{methodWord(method)}</a> },
    {
      name: 'Share',
      show: (row) => (
        <>
          <meter min={0} max={1} value={share(row)} aria-hidden="true" /> {percent.format(share(row))}
        </>
      ),
    },
    { name: 'Succeeded', kind: 'number', show: ({ paid, notPaid }) => `${paid} of ${paid + notPaid}` },
  ];
  return (
    <Table caption="Share of payments that succeeded" columns={columns} rows={methods} keyOf={({ method }) => method} />
  );
}
