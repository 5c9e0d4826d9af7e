import { h, type Child } from '../element/dom.js';
import { sum } from './amounts.js';
import type { ApprovalPage, MovementSummaryRow, Overview } from './api.js';
import { keepFresh } from './keep-fresh.js';
import type { MerchantApi } from './merchant-api.js';
import { heading, type Page } from './page.js';
import { daysBefore, paidCurve, paidDays, paidSum } from './paid-curve.js';
import { Part } from './part.js';
import { showError } from './refused.js';
import { hrefOf, type Route } from './route.js';
import { ago, dateTime, dayIn, METHODS, methodWord } from './words.js';

const FRESH_SECONDS = 15;
const DAYS = 30;
/** Figures of what is open stop here. */
const COUNTED = 10_000;

/** All that is shown. */
interface Shown {
  overview: Overview;
  approvals: ApprovalPage;
  /** Of the last 30 days, by currency. */
  movements: readonly MovementSummaryRow[];
  /** In the time zone of the books. */
  today: string;
}

/** What a merchant wants to know first. Each figure leads to what it counts. */
export class OverviewPage implements Page {
  readonly element: HTMLElement;
  readonly heading = heading('Overview');
  readonly #api: MerchantApi;
  readonly #now = new Part(h('div', { class: 'figures' }));
  readonly #paid = new Part(h('div', { class: 'stack' }));
  readonly #methods = new Part(h('div'));
  readonly #error = h('div', { class: 'error', role: 'alert' });
  readonly #at = h('p', { class: 'muted hint' });
  readonly #closed = new AbortController();

  constructor(api: MerchantApi) {
    this.#api = api;
    this.element = h(
      'section',
      { class: 'stack', 'aria-label': 'Overview' },
      this.heading,
      this.#error,
      this.#paid.element,
      h('section', { class: 'stack' }, h('h3', {}, 'Now'), this.#now.element),
      this.#methods.element,
      this.#at,
    );
  }

  accept({ path }: Route): boolean {
    return path.length === 0;
  }

  async open(): Promise<void> {
    keepFresh(FRESH_SECONDS, () => this.#read(), this.#closed.signal);
    await this.#read();
  }

  close(): void {
    this.#closed.abort();
  }

  async #read(): Promise<void> {
    try {
      const [overview, approvals] = await Promise.all([
        this.#api.overview(),
        this.#api.approvals({ state: 'waiting' }),
      ]);
      const today = dayIn(this.#api.caller.timeZone, overview.at);
      const from = daysBefore(today, DAYS - 1);
      const { movements } = await this.#api.summary('currency', { from, to: today });
      this.#error.textContent = '';
      this.#show({ overview, approvals, movements, today });
    } catch (error) {
      showError(this.#error, error);
    }
  }

  #show({ overview, approvals, movements, today }: Shown): void {
    const { at, paid, methods, ...now } = overview;
    this.#paid.show([paid, movements, today], () => paidParts(paid, movements, today));
    this.#now.show([now, approvals, minuteOf(at)], () => nowFigures(overview, approvals));
    this.#methods.show([methods, today], () => [methodShares(methods, daysBefore(today, DAYS - 1))]);
    this.#at.textContent = `As of ${dateTime(at)}. This page refreshes itself.`;
  }
}

/** The age of what is open is shown in minutes. */
function minuteOf(at: string): string {
  return at.slice(0, 16);
}

function figure(
  label: string,
  value: Child,
  href: string | undefined,
  note?: string,
  tone = '',
): HTMLElement {
  const number = h('strong', {}, value);
  return h(
    href === undefined ? 'div' : 'a',
    { class: `figure ${tone}`, ...(href === undefined ? {} : { href }) },
    h('span', { class: 'figure-label' }, label),
    number,
    note !== undefined && h('span', { class: 'muted' }, note),
  );
}

/** Paid today and in 30 days, and the curve: for each currency. */
function paidParts(paid: Overview['paid'], movements: Shown['movements'], today: string): HTMLElement[] {
  const currencies = [...new Set([...paid, ...movements].map(({ currency }) => currency))].sort();
  if (currencies.length === 0) return [h('p', { class: 'muted' }, 'Nothing was paid in the last 30 days.')];
  return currencies.map((currency) => {
    const days = paidDays(paid, currency, today);
    const now = days.at(-1);
    const count = days.reduce((sum, day) => sum + day.count, 0);
    return h(
      'section',
      { class: 'stack' },
      h('h3', {}, currencies.length === 1 ? 'Paid' : `Paid in ${currency}`),
      h(
        'div',
        { class: 'figures' },
        figure(
          'Paid today',
          sum(now?.amount ?? '0', currency),
          hrefOf('payments', { status: 'succeeded', from: today, to: today }),
          paymentCount(now?.count ?? 0),
        ),
        figure(
          'Paid in 30 days',
          sum(paidSum(days), currency),
          hrefOf('payments', { status: 'succeeded', from: days[0]?.day, to: today }),
          paymentCount(count),
        ),
        ...movements.filter((moved) => moved.currency === currency).flatMap(movedFigures),
      ),
      paidCurve(days, currency),
    );
  });
}

/** What went out of the money that came, and what is left, whichever payments it was of. */
function movedFigures({ currency, captured, refunded, chargedBack, net }: MovementSummaryRow): HTMLElement[] {
  const of = (label: string, amount: string, note: string): HTMLElement =>
    figure(label, sum(amount, currency), hrefOf('ledger'), note);
  return [
    of('Captured', captured, 'Moved in 30 days'),
    of('Refunded', refunded, 'Moved in 30 days'),
    of('Charged back', chargedBack, 'Moved in 30 days'),
    of('Net', net, 'Captured less what went out'),
  ];
}

function paymentCount(count: number): string {
  return count === 1 ? '1 payment' : `${count} payments`;
}

function counted(count: number): string {
  return count >= COUNTED ? `${COUNTED} or more` : String(count);
}

function nowFigures(
  { at, open, undeliveredEvents, openDifferences, lastSettlement }: Overview,
  approvals: ApprovalPage,
): HTMLElement[] {
  const { oldest } = open;
  return [
    figure(
      'Needs attention',
      counted(open.needsAttention),
      hrefOf('payments', { needsAttention: 'true' }),
      'A person must look',
      open.needsAttention > 0 ? 'alert' : '',
    ),
    figure(
      'Paid twice',
      counted(open.duplicates),
      hrefOf('payments', { duplicate: 'true' }),
      'Duplicates that hold money',
      open.duplicates > 0 ? 'alert' : '',
    ),
    figure(
      'Waiting for approval',
      approvals.nextCursor === null ? String(approvals.data.length) : `${approvals.data.length} or more`,
      hrefOf('approvals'),
      'By a second person',
      approvals.data.length > 0 ? 'alert' : '',
    ),
    figure(
      'Unknown',
      counted(open.processing),
      hrefOf('payments', { status: 'processing' }),
      'No clear answer yet',
    ),
    figure(
      'Waiting',
      counted(open.requiresAction),
      hrefOf('payments', { status: 'requires_action' }),
      'For the payer',
    ),
    figure('Held', counted(open.authorized), hrefOf('payments', { status: 'authorized' }), 'To be completed'),
    figure(
      'Oldest open',
      oldest === null ? 'None' : ago(oldest.createdAt, at),
      oldest === null ? undefined : hrefOf(`payments/${oldest.paymentId}`),
      oldest === null ? 'Nothing is open' : dateTime(oldest.createdAt),
    ),
    figure(
      'Undelivered events',
      counted(undeliveredEvents),
      undefined,
      'For your server',
      undeliveredEvents > 100 ? 'alert' : '',
    ),
    figure(
      'Differences',
      counted(openDifferences),
      hrefOf('differences'),
      lastSettlement === null
        ? 'No settlement report yet'
        : `Open in all reports, the last of ${dateTime(lastSettlement.receivedAt)}`,
      openDifferences > 0 ? 'alert' : '',
    ),
  ];
}

function methodShares(methods: Overview['methods'], from: string): HTMLElement {
  const column = (label: string, kind = ''): HTMLElement => h('th', { scope: 'col', class: kind }, label);
  return h(
    'section',
    { class: 'stack' },
    h('h3', {}, 'Succeeded by method, in 30 days'),
    methods.length === 0
      ? h('p', { class: 'muted' }, 'No payments yet.')
      : h(
          'div',
          { class: 'scroll shares', tabindex: 0, role: 'group', 'aria-label': 'Succeeded by method' },
          h(
            'table',
            {},
            h('caption', { class: 'unseen' }, 'Share of payments that succeeded, by method'),
            h('thead', {}, h('tr', {}, column('Method'), column('Share'), column('Succeeded', 'number'))),
            h('tbody', {}, ...methods.map((share) => shareRow(share, from))),
          ),
        ),
  );
}

function shareRow({ method, paid, notPaid }: Overview['methods'][number], from: string): HTMLElement {
  const ended = paid + notPaid;
  const share = ended === 0 ? undefined : paid / ended;
  return h(
    'tr',
    {},
    h(
      'th',
      { scope: 'row' },
      isPayable(method)
        ? h('a', { href: hrefOf('payments', { method, from }) }, methodWord(method))
        : methodWord(method),
    ),
    h(
      'td',
      {},
      h('meter', { min: 0, max: 1, value: share ?? 0, 'aria-hidden': 'true' }),
      h('strong', {}, share === undefined ? '–' : percent.format(share)),
    ),
    h('td', { class: 'number' }, `${paid} of ${ended}`),
  );
}

/** Whether the list of payments has a filter for it. */
function isPayable(method: string): boolean {
  return METHODS.some((payable) => payable === method);
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
