import { h } from '../element/dom.js';
import { formatAmount } from '../element/money.js';
import { labelled } from './confirm-dialog.js';
import type { Payment } from '../kit/api.js';
import { Refused, type MerchantApi } from './merchant-api.js';
import { badge } from './status-badge.js';
import { dateTime, methodWord, STATUSES, statusWord } from './words.js';

/** All payments, filtered. Those that need attention come first. */
export class PaymentList {
  readonly element: HTMLElement;
  readonly #api: MerchantApi;
  readonly #reference = h('input', {
    type: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 40,
  });
  readonly #status = h(
    'select',
    { onchange: () => void this.load() },
    h('option', { value: '' }, 'Any'),
    ...STATUSES.map((status) => h('option', { value: status }, statusWord(status))),
  );
  readonly #body = h('tbody');
  readonly #attention = h('div');
  readonly #more = h(
    'button',
    { type: 'button', hidden: true, onclick: () => void this.#loadMore() },
    'Show more',
  );
  readonly #state = h('p', { class: 'muted', role: 'status' });
  readonly #rows = new Map<string, HTMLElement>();
  #cursor: string | null = null;
  #turn = 0;

  constructor(api: MerchantApi) {
    this.#api = api;
    const search = (event: Event): void => {
      event.preventDefault();
      void this.load();
    };
    this.element = h(
      'section',
      { class: 'list', 'aria-label': 'Payments' },
      h('h2', { tabindex: -1 }, 'Payments'),
      h(
        'form',
        { class: 'filters', role: 'search', onsubmit: search },
        labelled('Reference', this.#reference),
        labelled('Status', this.#status),
        h('button', { type: 'submit', class: 'primary' }, 'Search'),
      ),
      this.#attention,
      h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table of payments' },
        h(
          'table',
          {},
          h('caption', { class: 'unseen' }, 'Payments, the newest first'),
          h('thead', {}, headings()),
          this.#body,
        ),
      ),
      this.#state,
      this.#more,
    );
  }

  async load(): Promise<void> {
    const turn = ++this.#turn;
    this.#state.textContent = 'Loading…';
    try {
      const [page, attention] = await Promise.all([
        this.#api.payments(this.#filter),
        this.#api.payments({ ...this.#filter, needsAttention: 'true' }),
      ]);
      if (turn !== this.#turn) return;
      this.#rows.clear();
      this.#showAttention(attention.data);
      this.#body.replaceChildren();
      this.#append(page.data);
      this.#setCursor(page.nextCursor);
      this.#state.textContent = page.data.length === 0 ? 'No payments match.' : '';
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#state.textContent = error instanceof Refused ? error.message : 'That did not work.';
    }
  }

  /** A payment has changed since it was listed. */
  update(payment: Payment): void {
    this.#rows.get(payment.id)?.replaceWith(this.#row(payment));
  }

  async #loadMore(): Promise<void> {
    if (this.#cursor === null) return;
    const turn = this.#turn;
    const page = await this.#api.payments({ ...this.#filter, cursor: this.#cursor });
    if (turn !== this.#turn) return;
    this.#append(page.data);
    this.#setCursor(page.nextCursor);
  }

  get #filter(): { reference: string; status: string } {
    return { reference: this.#reference.value.trim(), status: this.#status.value };
  }

  #setCursor(cursor: string | null): void {
    this.#cursor = cursor;
    this.#more.hidden = cursor === null;
  }

  #append(payments: readonly Payment[]): void {
    this.#body.append(...payments.map((payment) => this.#row(payment)));
  }

  #showAttention(payments: readonly Payment[]): void {
    if (payments.length === 0) {
      this.#attention.replaceChildren();
      return;
    }
    this.#attention.replaceChildren(
      h(
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
              h('a', { href: `#${payment.id}` }, payment.reference),
              h('span', {}, formatAmount(payment.amount, payment.currency, navigator.language)),
              badge(payment),
              h('time', { class: 'muted', datetime: payment.createdAt }, dateTime(payment.createdAt)),
            ),
          ),
        ),
      ),
    );
  }

  #row(payment: Payment): HTMLElement {
    const row = h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('a', { href: `#${payment.id}` }, payment.reference)),
      h('td', { class: 'number' }, formatAmount(payment.amount, payment.currency, navigator.language)),
      h('td', {}, methodWord(payment.method)),
      h('td', {}, badge(payment)),
      h('td', {}, h('time', { datetime: payment.createdAt }, dateTime(payment.createdAt))),
    );
    this.#rows.set(payment.id, row);
    return row;
  }
}

function headings(): HTMLElement {
  return h(
    'tr',
    {},
    h('th', { scope: 'col' }, 'Reference'),
    h('th', { scope: 'col', class: 'number' }, 'Amount'),
    h('th', { scope: 'col' }, 'Method'),
    h('th', { scope: 'col' }, 'Status'),
    h('th', { scope: 'col' }, 'Created'),
  );
}
