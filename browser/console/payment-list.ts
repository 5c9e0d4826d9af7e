import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import { money, sum } from './amounts.js';
import { attentionSentence } from './attention-words.js';
import { keepFresh } from './keep-fresh.js';
import type { PaymentPage } from './api.js';
import type { MerchantApi } from './merchant-api.js';
import { heading } from './page.js';
import { Part } from './part.js';
import { filterOf, PaymentFilters, type Filter } from './payment-filters.js';
import { PaymentSearch } from './payment-search.js';
import { Refused, showError } from './refused.js';
import { hrefOf, queryText } from './route.js';
import type { Searches } from './searches.js';
import { badge } from './status-badge.js';
import { dateTime, methodWord, shortTime } from './words.js';

const FRESH_SECONDS = 15;

/** All payments, filtered as the address says, or those that a search found. What needs attention stands folded above them. */
export class PaymentList {
  readonly element: HTMLElement;
  readonly heading = heading('Payments');
  readonly #api: MerchantApi;
  readonly #searches: Searches;
  readonly #search: PaymentSearch;
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
  #opened: string | undefined;
  /** Counts what was asked for, so that an answer to an older question is dropped. */
  #turn = 0;

  constructor(api: MerchantApi, searches: Searches, changed: (filter: Filter) => void) {
    this.#api = api;
    this.#searches = searches;
    this.#search = new PaymentSearch((words) => changed({ search: searches.keep(words) }));
    this.#filters = new PaymentFilters(changed);
    this.element = h(
      'section',
      { class: 'list', 'aria-label': 'Payments' },
      this.heading,
      ...(api.maySearch ? [this.#search.element] : []),
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
    this.#search.show(this.#searches.wordsOf(this.#filter.search) ?? '');
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

  /** Marks the payment that is open beside the list; none without an id. */
  mark(id: string | undefined): void {
    this.#opened = id;
    this.#drawRows();
  }

  /** Puts the focus on a payment of the list. False where it is not in it. */
  focusOn(id: string): boolean {
    const link = this.#body.querySelector<HTMLElement>(`a[data-payment="${CSS.escape(id)}"]`);
    link?.focus({ preventScroll: true });
    return link !== null;
  }

  /** The first page again. What was read of later pages stays below it. A search is entered into the audit, so nobody repeats one unasked. */
  async #refresh(): Promise<void> {
    if (this.#filter.search !== undefined) return;
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
      const page = await this.#page(this.#cursor);
      if (turn !== this.#turn) return;
      this.#cursor = page.nextCursor;
      this.#payments = [...this.#payments, ...page.data];
      this.#showRows();
    } catch (error) {
      showError(this.#error, error);
    }
  }

  async #read(): Promise<[page: PaymentPage, attention: Payment[]]> {
    const isNarrow = this.#filter.search !== undefined || this.#filter.needsAttention !== undefined;
    const [page, attention] = await Promise.all([
      this.#page(),
      isNarrow ? { data: [] } : this.#api.payments({ ...this.#filter, needsAttention: 'true' }),
    ]);
    return [page, attention.data];
  }

  async #page(cursor?: string): Promise<PaymentPage> {
    const { search, ...filter } = this.#filter;
    if (search === undefined) return this.#api.payments({ ...filter, cursor });
    const words = this.#searches.wordsOf(search);
    if (words === undefined)
      throw new Refused(
        'search-forgotten',
        'What was searched for is not kept after a sign-out. Search again.',
      );
    return this.#api.search(words, cursor);
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
    this.#drawRows();
  }

  #drawRows(): void {
    this.#rows.show([this.#payments, queryText(this.#filter), this.#opened], () =>
      this.#payments.map((payment) => this.#row(payment)),
    );
  }

  #link(payment: Payment): HTMLElement {
    const href = hrefOf(`payments/${payment.id}`, this.#filter);
    return h('a', { href, 'data-payment': payment.id }, payment.reference);
  }

  #attentionList(payments: readonly Payment[]): HTMLElement {
    return h(
      'details',
      { class: 'attention' },
      h(
        'summary',
        {},
        h('h3', {}, `Needs attention (${payments.length}${payments.length === 50 ? ' or more' : ''})`),
      ),
      h(
        'ul',
        {},
        ...payments.map((payment) =>
          h(
            'li',
            {},
            this.#link(payment),
            sum(payment.amount, payment.currency),
            badge({ ...payment, needsAttention: false }),
            h('time', { class: 'muted', datetime: payment.createdAt }, dateTime(payment.createdAt)),
            h('p', {}, attentionSentence(payment.attentionReasons)),
          ),
        ),
      ),
    );
  }

  #row(payment: Payment): HTMLElement {
    const isOpen = payment.id === this.#opened;
    return h(
      'tr',
      { role: 'row', ...(isOpen ? { 'aria-current': 'true' } : {}) },
      h('th', { scope: 'row', role: 'rowheader' }, this.#link(payment)),
      h(
        'td',
        { role: 'cell', class: 'number' },
        sum(payment.amount, payment.currency),
        ...moneyGone(payment),
      ),
      h('td', { role: 'cell', class: 'wide' }, methodWord(payment.method)),
      h('td', { role: 'cell' }, badge(payment), this.#otherOne(payment)),
      h(
        'td',
        { role: 'cell', class: 'when' },
        h('time', { datetime: payment.createdAt }, shortTime(payment.createdAt)),
      ),
    );
  }

  /** The payment of which this one is a duplicate, by its gateway reference where that is known here. */
  #otherOne({ duplicateOf }: Payment): HTMLElement | undefined {
    if (duplicateOf === null) return undefined;
    const other = this.#payments.find(({ id }) => id === duplicateOf);
    const name = other?.gatewayReference ?? duplicateOf;
    return h(
      'span',
      { class: 'beside' },
      'of ',
      h('a', { href: hrefOf(`payments/${duplicateOf}`, this.#filter) }, name),
    );
  }
}

/** What of a payment's money is no longer there, below its amount. */
function moneyGone({ amountRefunded, amountDisputed, disputed, currency }: Payment): HTMLElement[] {
  const line = (words: string): HTMLElement => h('span', { class: 'gone' }, words);
  return [
    amountRefunded !== null && line(`${money(amountRefunded, currency)} refunded`),
    disputed && line(amountDisputed === null ? 'Disputed' : `${money(amountDisputed, currency)} disputed`),
  ].filter((element) => element !== false);
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
