import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import { money } from './amounts.js';
import { keepFresh } from './keep-fresh.js';
import type { MerchantApi } from './merchant-api.js';
import { heading } from './page.js';
import { Part } from './part.js';
import { filterOf, PaymentFilters, type Filter } from './payment-filters.js';
import { showError } from './refused.js';
import { hrefOf, queryText } from './route.js';
import { badge } from './status-badge.js';
import { dateTime, methodWord, shortTime } from './words.js';

const FRESH_SECONDS = 15;

/** All payments, filtered as the address says. Those that need attention come first. */
export class PaymentList {
  readonly element: HTMLElement;
  readonly heading = heading('Payments');
  readonly #api: MerchantApi;
  readonly #filters: PaymentFilters;
  readonly #body = h('tbody', { role: 'rowgroup' });
  readonly #rows = new Part(this.#body);
  readonly #attention = new Part(h('div'));
  readonly #more = h(
    'button',
    { type: 'button', hidden: true, onclick: () => void this.#loadMore() },
    'Show more',
  );
  readonly #state = h('p', { class: 'muted', role: 'status' });
  readonly #error = h('div', { class: 'error', role: 'alert' });
  readonly #closed = new AbortController();
  #filter: Filter = {};
  #payments: readonly Payment[] = [];
  #cursor: string | null = null;
  /** Counts what was asked for, so that an answer to an older question is dropped. */
  #turn = 0;

  constructor(api: MerchantApi, changed: (filter: Filter) => void) {
    this.#api = api;
    this.#filters = new PaymentFilters(changed);
    this.element = h(
      'section',
      { class: 'list', 'aria-label': 'Payments' },
      this.heading,
      this.#filters.element,
      this.#attention.element,
      h(
        'table',
        { class: 'rows', role: 'table' },
        h('caption', { class: 'unseen' }, 'Payments, the newest first'),
        h('thead', { role: 'rowgroup' }, headings()),
        this.#body,
      ),
      this.#state,
      this.#error,
      this.#more,
    );
  }

  get filter(): Filter {
    return this.#filter;
  }

  async open(filter: Filter): Promise<void> {
    keepFresh(FRESH_SECONDS, () => this.#refresh(), this.#closed.signal);
    await this.take(filter);
  }

  /** Shows what another address asks for. */
  async take(filter: Filter): Promise<void> {
    this.#filter = filterOf(filter);
    this.#filters.show(this.#filter);
    const turn = ++this.#turn;
    this.#error.textContent = '';
    this.#state.textContent = 'Loading…';
    try {
      const [page, attention] = await this.#read();
      if (turn !== this.#turn) return;
      this.#cursor = page.nextCursor;
      this.#show(page.data, attention);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#cursor = null;
      this.#show([], []);
      this.#state.textContent = '';
      showError(this.#error, error);
    }
  }

  close(): void {
    this.#closed.abort();
  }

  /** A payment has changed since it was listed. */
  update(payment: Payment): void {
    this.#payments = this.#payments.map((listed) => (listed.id === payment.id ? payment : listed));
    this.#showRows();
  }

  /** The first page again. What was read of later pages stays below it. */
  async #refresh(): Promise<void> {
    const turn = this.#turn;
    const [page, attention] = await this.#read();
    if (turn !== this.#turn) return;
    const last = page.data.at(-1);
    const isWhole = page.nextCursor === null || last === undefined;
    const older = isWhole ? [] : this.#payments.slice(this.#placeOf(last) + 1);
    if (older.length === 0) this.#cursor = page.nextCursor;
    this.#error.textContent = '';
    this.#show([...page.data, ...older], attention);
  }

  /** Where a payment stands in the list; at its end if it is new. */
  #placeOf({ id }: Payment): number {
    const place = this.#payments.findIndex((listed) => listed.id === id);
    return place < 0 ? this.#payments.length : place;
  }

  async #loadMore(): Promise<void> {
    if (this.#cursor === null) return;
    const turn = ++this.#turn;
    try {
      const page = await this.#api.payments({ ...this.#filter, cursor: this.#cursor });
      if (turn !== this.#turn) return;
      this.#cursor = page.nextCursor;
      this.#payments = [...this.#payments, ...page.data];
      this.#showRows();
    } catch (error) {
      showError(this.#error, error);
    }
  }

  async #read(): Promise<[page: { data: Payment[]; nextCursor: string | null }, attention: Payment[]]> {
    const [page, attention] = await Promise.all([
      this.#api.payments(this.#filter),
      this.#filter.needsAttention === undefined
        ? this.#api.payments({ ...this.#filter, needsAttention: 'true' })
        : { data: [] },
    ]);
    return [page, attention.data];
  }

  #show(payments: readonly Payment[], attention: readonly Payment[]): void {
    this.#payments = payments;
    this.#attention.show([attention, this.#filter], () =>
      attention.length === 0 ? [] : [this.#attentionList(attention)],
    );
    this.#showRows();
  }

  #showRows(): void {
    this.#more.hidden = this.#cursor === null;
    this.#state.textContent = this.#payments.length === 0 ? 'No payments match.' : '';
    this.#rows.show([this.#payments, queryText(this.#filter)], () =>
      this.#payments.map((payment) => this.#row(payment)),
    );
  }

  #link(payment: Payment): HTMLElement {
    return h('a', { href: hrefOf(`payments/${payment.id}`, this.#filter) }, payment.reference);
  }

  #attentionList(payments: readonly Payment[]): HTMLElement {
    return h(
      'section',
      { class: 'attention' },
      h('h3', {}, `Needs attention (${payments.length}${payments.length === 50 ? ' or more' : ''})`),
      h(
        'ul',
        {},
        ...payments.map((payment) =>
          h(
            'li',
            {},
            this.#link(payment),
            h('span', {}, money(payment.amount, payment.currency)),
            badge(payment),
            h('time', { class: 'muted', datetime: payment.createdAt }, dateTime(payment.createdAt)),
          ),
        ),
      ),
    );
  }

  #row(payment: Payment): HTMLElement {
    return h(
      'tr',
      { role: 'row' },
      h('th', { scope: 'row', role: 'rowheader' }, this.#link(payment)),
      h('td', { role: 'cell', class: 'number' }, money(payment.amount, payment.currency)),
      h('td', { role: 'cell', class: 'wide' }, methodWord(payment.method)),
      h('td', { role: 'cell' }, badge(payment)),
      h(
        'td',
        { role: 'cell', class: 'when' },
        h('time', { datetime: payment.createdAt }, shortTime(payment.createdAt)),
      ),
    );
  }
}

function headings(): HTMLElement {
  const column = (label: string, kind = ''): HTMLElement =>
    h('th', { scope: 'col', role: 'columnheader', class: kind }, label);
  return h(
    'tr',
    { role: 'row' },
    column('Reference'),
    column('Amount', 'number'),
    column('Method', 'wide'),
    column('Status'),
    column('Created', 'when'),
  );
}
