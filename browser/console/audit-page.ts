import { h, type Child } from '../element/dom.js';
import type { AuditPage as AuditEntries } from './api.js';
import type { MerchantApi } from './merchant-api.js';
import { heading, type Page } from './page.js';
import { showError } from './refused.js';
import { hrefOf, type Route } from './route.js';
import { dateTime } from './words.js';

type Entry = AuditEntries['data'][number];

/** Who did what, when and from where. */
export class AuditListPage implements Page {
  readonly element: HTMLElement;
  readonly heading = heading('Audit');
  readonly #api: MerchantApi;
  readonly #body = h('tbody', { role: 'rowgroup' });
  readonly #more = h(
    'button',
    { type: 'button', hidden: true, onclick: () => void this.#load() },
    'Show more',
  );
  readonly #state = h('p', { class: 'muted', role: 'status' });
  readonly #error = h('div', { class: 'error', role: 'alert' });
  #query: Route['query'] = {};
  #next: string | undefined;
  #turn = 0;

  constructor(
    api: MerchantApi,
    readonly route: Route,
  ) {
    this.#api = api;
    this.element = h(
      'section',
      { class: 'list', 'aria-label': 'Audit' },
      this.heading,
      h(
        'table',
        { class: 'rows audit', role: 'table' },
        h('caption', { class: 'unseen' }, 'Who did what'),
        h('thead', { role: 'rowgroup' }, headings()),
        this.#body,
      ),
      this.#state,
      this.#error,
      this.#more,
    );
  }

  accept(route: Route): boolean {
    if (route.path[0] !== 'audit') return false;
    void this.#begin(route);
    return true;
  }

  open(): Promise<void> {
    return this.#begin(this.route);
  }

  close(): void {
    this.#turn++;
  }

  #begin({ query }: Route): Promise<void> {
    this.#query = query;
    this.#next = undefined;
    this.#body.replaceChildren();
    return this.#load();
  }

  async #load(): Promise<void> {
    const turn = ++this.#turn;
    this.#error.textContent = '';
    try {
      const { data, nextCursor } = await this.#api.audit({ ...this.#query, cursor: this.#next });
      if (turn !== this.#turn) return;
      this.#body.append(...data.map(row));
      this.#next = nextCursor ?? undefined;
      this.#more.hidden = nextCursor === null;
      this.#state.textContent = this.#body.childElementCount === 0 ? 'Nothing has been done yet.' : '';
    } catch (error) {
      if (turn === this.#turn) showError(this.#error, error);
    }
  }
}

function headings(): HTMLElement {
  const column = (label: string): HTMLElement => h('th', { scope: 'col', role: 'columnheader' }, label);
  return h(
    'tr',
    { role: 'row' },
    column('What'),
    column('To what'),
    column('Who'),
    column('From where'),
    column('Outcome'),
    column('When'),
  );
}

function row(entry: Entry): HTMLElement {
  const { at, actor, action, object, address, outcome, count } = entry;
  const cell = (...content: Child[]): HTMLElement => h('td', { role: 'cell' }, ...content);
  return h(
    'tr',
    { role: 'row' },
    h('th', { scope: 'row', role: 'rowheader' }, count === undefined ? action : `${action} (${count} times)`),
    cell(objectContent(object)),
    cell(actor),
    cell(address ?? ''),
    cell(
      h(
        'span',
        { class: outcome === 'ok' ? 'badge succeeded' : 'badge failed' },
        outcome.replaceAll('-', ' '),
      ),
    ),
    h('td', { role: 'cell', class: 'when' }, h('time', { datetime: at }, dateTime(at))),
  );
}

function objectContent(object: string | null): Child {
  if (object === null) return '';
  const page = object.startsWith('pay_') ? 'payments' : object.startsWith('stl_') ? 'settlements' : undefined;
  return page === undefined ? h('code', {}, object) : h('a', { href: hrefOf(`${page}/${object}`) }, object);
}
