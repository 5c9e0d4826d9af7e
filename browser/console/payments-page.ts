import { h } from '../element/dom.js';
import type { MerchantApi } from './merchant-api.js';
import type { Page } from './page.js';
import { PaymentDetail } from './payment-detail.js';
import { filterOf, type Filter } from './payment-filters.js';
import { PaymentList } from './payment-list.js';
import { hrefOf, queryText, type Route } from './route.js';

/** The list of payments and, beside it or on a phone in its place, one of them. */
export class PaymentsPage implements Page {
  readonly element: HTMLElement;
  readonly #api: MerchantApi;
  readonly #list: PaymentList;
  readonly #side = h('div', { class: 'side' });
  #detail: { id: string; view: PaymentDetail } | undefined;

  constructor(
    api: MerchantApi,
    readonly route: Route,
  ) {
    this.#api = api;
    this.#list = new PaymentList(api, (filter) => (location.hash = hrefOf('payments', filter)));
    this.element = h('div', { class: 'columns' }, this.#list.element, this.#side);
  }

  get heading(): HTMLElement {
    return this.#detail?.view.heading ?? this.#list.heading;
  }

  accept({ path, query }: Route): boolean {
    if (path[0] !== 'payments') return false;
    const filter = filterOf(query);
    const hadDetail = this.#detail !== undefined;
    if (queryText(filter) !== queryText(this.#list.filter)) void this.#list.take(filter);
    const opened = this.#showDetail(path[1], filter);
    if (opened) void opened.then(() => this.heading.focus());
    else if (hadDetail && this.#detail === undefined) this.#list.heading.focus();
    return true;
  }

  async open(): Promise<void> {
    const { path, query } = this.route;
    const filter = filterOf(query);
    await Promise.all([this.#list.open(filter), this.#showDetail(path[1], filter)]);
  }

  close(): void {
    this.#list.close();
    this.#detail?.view.close();
  }

  /** Shows one payment. Undefined where there is none to open. */
  #showDetail(id: string | undefined, filter: Filter): Promise<void> | undefined {
    const back = hrefOf('payments', filter);
    if (id !== undefined && this.#detail?.id === id) {
      this.#detail.view.back = back;
      return undefined;
    }
    this.#detail?.view.close();
    this.#detail = undefined;
    this.#side.replaceChildren();
    this.element.toggleAttribute('data-detail', id !== undefined);
    if (id === undefined) return undefined;
    const view = new PaymentDetail(this.#api, id, back, (payment) => this.#list.update(payment));
    this.#detail = { id, view };
    this.#side.append(view.element);
    return view.open();
  }
}
