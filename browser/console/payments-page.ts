import { h } from '../element/dom.js';
import type { MerchantApi } from './merchant-api.js';
import type { Page } from './page.js';
import { PaymentDetail } from './payment-detail.js';
import { filterOf, type Filter } from './payment-filters.js';
import { PaymentList } from './payment-list.js';
import { hrefOf, queryText, type Route } from './route.js';
import type { Searches } from './searches.js';

/** The list of payments and, beside it or on a phone in its place, one of them. */
export class PaymentsPage implements Page {
  readonly element: HTMLElement;
  readonly #api: MerchantApi;
  readonly #list: PaymentList;
  readonly #side = h('div', { class: 'side' });
  #detail: { id: string; view: PaymentDetail } | undefined;
  /** Where the list was scrolled to when a payment took its place. */
  #scrolled = 0;

  constructor(
    api: MerchantApi,
    searches: Searches,
    readonly route: Route,
  ) {
    this.#api = api;
    this.#list = new PaymentList(api, searches, (filter) => (location.hash = hrefOf('payments', filter)));
    this.element = h('div', { class: 'columns' }, this.#list.element, this.#side);
  }

  get heading(): HTMLElement {
    return this.#detail?.view.heading ?? this.#list.heading;
  }

  accept({ path, query }: Route): boolean {
    if (path[0] !== 'payments') return false;
    const filter = filterOf(query);
    const opened = this.#detail?.id;
    if (opened === undefined && path[1] !== undefined) this.#scrolled = scrollY;
    if (queryText(filter) !== queryText(this.#list.filter)) void this.#list.take(filter);
    const opening = this.#showDetail(path[1], filter);
    if (opening) void opening.then(() => this.heading.focus());
    else if (opened !== undefined && this.#detail === undefined) this.#return(opened);
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

  /** The list is as it was before the payment took its place: scrolled, and with the focus on the payment. */
  #return(from: string): void {
    if (!this.#list.focusOn(from)) this.#list.heading.focus();
    scrollTo(0, this.#scrolled);
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
    this.#list.mark(id);
    if (id === undefined) return undefined;
    const view = new PaymentDetail(this.#api, id, back, (payment) => this.#list.update(payment));
    this.#detail = { id, view };
    this.#side.append(view.element);
    return view.open();
  }
}
