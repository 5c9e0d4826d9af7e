import { h, type Child } from '../element/dom.js';
import { sum } from './amounts.js';
import type { AnyRefund } from './api.js';
import { personOf } from './approval-words.js';
import { labelled } from './confirm-dialog.js';
import { keepFresh } from './keep-fresh.js';
import type { MerchantApi } from './merchant-api.js';
import { monthDownloads } from './month-downloads.js';
import { heading, type Page } from './page.js';
import { Part } from './part.js';
import { clearError, showError } from './refused.js';
import { hrefOf, queryText, type Query, type Route } from './route.js';
import { momentIn } from './words.js';

const FRESH_SECONDS = 15;
const PAGE = 50;
const NAMES = ['status', 'from', 'to'] as const;
type Filter = Partial<Record<(typeof NAMES)[number], string>>;

const STATUSES: readonly (readonly [AnyRefund['status'], string])[] = [
  ['processing', 'On its way'],
  ['succeeded', 'Refunded'],
  ['failed', 'Failed'],
];

/** All refunds: whose, why, how much, and what became of each, also those of the gateway's own dashboard. */
export class RefundsPage implements Page {
  readonly element: HTMLElement;
  readonly heading = heading('Refunds');
  readonly #api: MerchantApi;
  readonly #status = h(
    'select',
    { name: 'status', onchange: () => this.#submit() },
    h('option', { value: '' }, 'Any'),
    ...STATUSES.map(([value, label]) => h('option', { value }, label)),
  );
  readonly #from = h('input', { type: 'date', name: 'from' });
  readonly #to = h('input', { type: 'date', name: 'to' });
  readonly #body = h('tbody', { role: 'rowgroup' });
  readonly #rows = new Part(this.#body);
  readonly #more = h(
    'button',
    { type: 'button', hidden: true, onclick: () => void this.#loadMore() },
    'Show more',
  );
  readonly #state = h('p', { class: 'muted', role: 'status' });
  readonly #error = h('div', { class: 'error', role: 'alert' });
  readonly #closed = new AbortController();
  #filter: Filter;
  #found: readonly AnyRefund[] = [];
  #cursor: string | null = null;
  #turn = 0;

  constructor(api: MerchantApi, { query }: Route) {
    this.#api = api;
    this.#filter = filterOf(query);
    this.element = h(
      'section',
      { class: 'list', 'aria-label': 'Refunds' },
      this.heading,
      h(
        'form',
        {
          class: 'filters',
          'aria-label': 'Filters',
          onsubmit: (event) => {
            event.preventDefault();
            this.#submit();
          },
        },
        labelled('Status', this.#status),
        labelled('From', this.#from),
        labelled('To', this.#to),
        h('button', { type: 'submit' }, 'Apply'),
        h('button', { type: 'button', onclick: () => (location.hash = hrefOf('refunds')) }, 'Clear'),
      ),
      this.#error,
      h(
        'table',
        { class: 'rows refunds', role: 'table' },
        h('caption', { class: 'unseen' }, 'Refunds, the newest first'),
        h('thead', { role: 'rowgroup' }, headings()),
        this.#body,
      ),
      this.#state,
      this.#more,
      monthDownloads(api, ['movements'], 'Refunds stand among the movements of a month.'),
    );
  }

  accept({ path, query }: Route): boolean {
    if (path[0] !== 'refunds') return false;
    const filter = filterOf(query);
    if (queryText(filter) === queryText(this.#filter)) return true;
    this.#filter = filter;
    this.#found = [];
    this.#showFilter();
    void this.#read();
    return true;
  }

  async open(): Promise<void> {
    this.#showFilter();
    keepFresh(FRESH_SECONDS, () => this.#read(), this.#closed.signal);
    await this.#read();
  }

  close(): void {
    this.#closed.abort();
  }

  #showFilter(): void {
    this.#status.value = this.#filter.status ?? '';
    this.#from.value = this.#filter.from ?? '';
    this.#to.value = this.#filter.to ?? '';
  }

  #submit(): void {
    const filter = { status: this.#status.value, from: this.#from.value, to: this.#to.value };
    location.hash = hrefOf('refunds', filter);
  }

  /** Reads as many again as are shown. */
  async #read(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const limit = String(Math.min(Math.max(this.#found.length, PAGE), 100));
      const page = await this.#api.allRefunds({ ...this.#filter, limit });
      if (turn !== this.#turn) return;
      const last = page.data.at(-1);
      const place = this.#found.findIndex(({ id }) => id === last?.id);
      const older = page.nextCursor === null || place < 0 ? [] : this.#found.slice(place + 1);
      this.#found = [...page.data, ...older];
      if (older.length === 0) this.#cursor = page.nextCursor;
      clearError(this.#error);
      this.#show();
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#found = [];
      this.#cursor = null;
      this.#show();
      this.#state.textContent = '';
      showError(this.#error, error);
    }
  }

  async #loadMore(): Promise<void> {
    if (this.#cursor === null) return;
    const turn = ++this.#turn;
    try {
      const page = await this.#api.allRefunds({ ...this.#filter, cursor: this.#cursor });
      if (turn !== this.#turn) return;
      this.#found = [...this.#found, ...page.data];
      this.#cursor = page.nextCursor;
      this.#show();
    } catch (error) {
      showError(this.#error, error);
    }
  }

  #show(): void {
    this.#more.hidden = this.#cursor === null;
    this.#state.textContent = this.#found.length === 0 ? 'No refunds match.' : '';
    this.#rows.show(this.#found, () => this.#found.map((refund) => row(refund, this.#api.caller.timeZone)));
  }
}

function filterOf(query: Query): Filter {
  const given = NAMES.map((name) => [name, query[name]] as const).filter(([, value]) => Boolean(value));
  return Object.fromEntries(given);
}

function headings(): HTMLElement {
  const column = (label: string, kind = ''): HTMLElement =>
    h('th', { scope: 'col', role: 'columnheader', class: kind }, label);
  return h(
    'tr',
    { role: 'row' },
    column('Payment'),
    column('Amount', 'number'),
    column('Status'),
    column('By, and why'),
    column('When', 'when'),
  );
}

function row(refund: AnyRefund, timeZone: string): HTMLElement {
  const { paymentId, reference, amount, currency, status, createdAt } = refund;
  const cell = { role: 'cell' };
  const [, words] = STATUSES.find(([known]) => known === status) ?? [status, status];
  return h(
    'tr',
    { role: 'row' },
    h(
      'th',
      { scope: 'row', role: 'rowheader' },
      h('a', { href: hrefOf(`payments/${paymentId}`) }, reference),
    ),
    h('td', { ...cell, class: 'number' }, sum(amount, currency)),
    h('td', cell, h('span', { class: `badge ${status}` }, words)),
    h('td', cell, ...whose(refund)),
    h('td', { ...cell, class: 'when' }, h('time', { datetime: createdAt }, momentIn(timeZone, createdAt))),
  );
}

function whose({ source, actor, reason }: AnyRefund): Child[] {
  const who = source === 'gateway' ? 'The gateway’s dashboard' : personOf(actor);
  return [who, reason !== null && h('span', { class: 'beside' }, reason)];
}
