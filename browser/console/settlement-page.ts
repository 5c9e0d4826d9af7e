import { h, type Child } from '../element/dom.js';
import { money } from './amounts.js';
import type { DifferencePage, Settlement } from './api.js';
import { confirm, labelled } from './confirm-dialog.js';
import { differenceCount, differenceCounts, differenceState, kindWords } from './difference-words.js';
import { keepFresh } from './keep-fresh.js';
import type { MerchantApi } from './merchant-api.js';
import { heading, type Page } from './page.js';
import { Part } from './part.js';
import { showError } from './refused.js';
import { hrefOf, type Route } from './route.js';
import { reportName } from './settlements-page.js';
import { dateTime } from './words.js';

type Difference = DifferencePage['data'][number];

const FRESH_SECONDS = 15;
const PAGE = 50;

/** One settlement report: what differs, by kind, and what is done about it. */
export class SettlementPage implements Page {
  readonly element: HTMLElement;
  readonly heading = heading('Settlement');
  readonly #api: MerchantApi;
  readonly #id: string;
  readonly #facts = new Part(h('div', { class: 'stack' }));
  readonly #actions = new Part(h('div', { class: 'buttons' }));
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
  #kind: string;
  #found: readonly Difference[] = [];
  #cursor: string | null = null;
  #turn = 0;

  constructor(api: MerchantApi, { path, query }: Route) {
    this.#api = api;
    this.#id = path[1] ?? '';
    this.#kind = query['kind'] ?? '';
    this.element = h(
      'section',
      { class: 'list', 'aria-label': 'Settlement' },
      h('a', { href: hrefOf('settlements'), class: 'back' }, 'Back to settlements'),
      this.heading,
      this.#facts.element,
      this.#actions.element,
      h('p', {}, h('a', { href: hrefOf('differences') }, 'Work off the differences of all reports')),
      this.#error,
      h(
        'table',
        { class: 'rows differences', role: 'table' },
        h('caption', { class: 'unseen' }, 'What differs'),
        h('thead', { role: 'rowgroup' }, headings()),
        this.#body,
      ),
      this.#state,
      this.#more,
    );
  }

  accept({ path, query }: Route): boolean {
    if (path[0] !== 'settlements' || path[1] !== this.#id) return false;
    this.#kind = query['kind'] ?? '';
    this.#found = [];
    void this.#read();
    return true;
  }

  async open(): Promise<void> {
    keepFresh(FRESH_SECONDS, () => this.#read(), this.#closed.signal);
    await this.#read();
  }

  close(): void {
    this.#closed.abort();
  }

  /** Reads the report again, and as many differences as are shown. */
  async #read(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const limit = String(Math.min(Math.max(this.#found.length, PAGE), 100));
      const [settlement, page] = await Promise.all([
        this.#api.settlement(this.#id),
        this.#api.differences(this.#id, { kind: this.#kind, limit }),
      ]);
      if (turn !== this.#turn) return;
      const rest = this.#found.slice(page.data.length);
      this.#found = [...page.data, ...rest];
      if (rest.length === 0) this.#cursor = page.nextCursor;
      this.#error.textContent = '';
      this.#show(settlement);
    } catch (error) {
      if (turn === this.#turn) showError(this.#error, error);
    }
  }

  async #loadMore(): Promise<void> {
    if (this.#cursor === null) return;
    const turn = ++this.#turn;
    try {
      const page = await this.#api.differences(this.#id, { kind: this.#kind, cursor: this.#cursor });
      if (turn !== this.#turn) return;
      this.#found = [...this.#found, ...page.data];
      this.#cursor = page.nextCursor;
      this.#showRows();
    } catch (error) {
      showError(this.#error, error);
    }
  }

  #show(settlement: Settlement): void {
    this.heading.textContent = reportName(settlement);
    this.#facts.show([settlement, this.#kind], () => [facts(settlement), this.#counts(settlement)]);
    this.#actions.show(settlement, () => this.#buttons(settlement));
    this.#showRows();
  }

  #showRows(): void {
    this.#more.hidden = this.#cursor === null;
    this.#state.textContent = this.#found.length === 0 ? 'Nothing differs.' : '';
    this.#rows.show(this.#found, () => this.#found.map(row));
  }

  /** How many of each kind there are. Each leads to them alone. */
  #counts({ counts }: Settlement): HTMLElement {
    const link = (kind: string, label: string, count: number): HTMLElement =>
      h(
        'a',
        {
          class: count > 0 && kind !== '' ? 'figure alert' : 'figure',
          href: hrefOf(`settlements/${this.#id}`, { kind }),
          'aria-current': kind === this.#kind && 'true',
        },
        h('span', { class: 'figure-label' }, label),
        h('strong', {}, String(count)),
      );
    return h(
      'div',
      { class: 'figures' },
      link('', 'All differences', differenceCount(counts)),
      ...differenceCounts(counts).map(([kind, count]) => link(kind, kindWords(kind), count)),
    );
  }

  #buttons(settlement: Settlement): Child[] {
    const unknown = notTakenOver(settlement);
    return [
      this.#api.mayAct &&
        unknown > 0 &&
        h(
          'button',
          { type: 'button', onclick: () => this.#askAdopt(settlement) },
          `Take over ${unknown} unknown`,
        ),
      this.#api.mayKeepBooks &&
        h('button', { type: 'button', onclick: () => this.#askOrders() }, 'Compare your orders'),
    ];
  }

  #askAdopt(settlement: Settlement): void {
    const count = notTakenOver(settlement);
    confirm({
      title: 'Take over unknown payments?',
      content: [
        h(
          'p',
          {},
          'For example after a restored backup. The gateway is asked about each one first. Payments that it reports as not paid are left out. If it gives no clear answer, your word counts, and the payment needs attention.',
        ),
      ],
      action: () => (count === 1 ? 'Take over 1 payment' : `Take over ${count} payments`),
      run: async () => {
        await this.#api.adopt(this.#id);
        await this.#read();
      },
    });
  }

  #askOrders(): void {
    const orders = h('input', { type: 'file', accept: '.csv,text/csv', required: true });
    confirm({
      title: 'Compare your orders?',
      content: [
        labelled('Your orders', orders, 'CSV with the columns reference, amount, currency and status.'),
        h('p', {}, 'It replaces an earlier list.'),
      ],
      action: () => 'Compare',
      run: async () => {
        const file = orders.files?.[0];
        if (file === undefined) return;
        await this.#api.compareOrders(this.#id, file);
        await this.#read();
      },
    });
  }
}

/** How many payments are unknown here and may still be taken over. */
function notTakenOver({ counts, adoption }: Settlement): number {
  const taken = adoption === null ? 0 : adoption.adopted + adoption.adoptedOnWord;
  return (counts['unknown_here'] ?? 0) - taken;
}

function facts({ receivedAt, actor, rows, skipped, orders, adoption }: Settlement): HTMLElement {
  const fact = (term: string, value: string): HTMLElement =>
    h('div', {}, h('dt', {}, term), h('dd', {}, value));
  const left = Object.entries(skipped).map(([why, count]) => `${why}: ${count}`);
  return h(
    'dl',
    { class: 'facts' },
    fact('Rows', String(rows)),
    left.length > 0 && fact('Rows that do not count', left.join(', ')),
    orders !== null && fact('Your orders', `${orders.rows}, of ${dateTime(orders.receivedAt)}`),
    adoption !== null &&
      fact(
        'Taken over',
        `${adoption.adopted + adoption.adoptedOnWord}, still to be asked about ${adoption.waiting}, left ${adoption.left}`,
      ),
    fact('Sent', `${dateTime(receivedAt)}, by ${actor}`),
  );
}

function headings(): HTMLElement {
  const column = (label: string, kind = ''): HTMLElement =>
    h('th', { scope: 'col', role: 'columnheader', class: kind }, label);
  return h(
    'tr',
    { role: 'row' },
    column('Reference'),
    column('In the file', 'number'),
    column('What'),
    column('What is done'),
    column('Line', 'number'),
  );
}

function row(difference: Difference): HTMLElement {
  const { name, row: line, reference, paymentId, found } = difference;
  const sum =
    found === null ? '' : found.currency === null ? found.amount : money(found.amount, found.currency);
  return h(
    'tr',
    { role: 'row' },
    h(
      'th',
      { scope: 'row', role: 'rowheader' },
      paymentId === null ? reference : h('a', { href: hrefOf(`payments/${paymentId}`) }, reference),
    ),
    h('td', { role: 'cell', class: 'number' }, sum),
    h('td', { role: 'cell' }, kindWords(name)),
    h('td', { role: 'cell' }, differenceState(difference)),
    h('td', { role: 'cell', class: 'number' }, line === null ? '' : `Line ${line}`),
  );
}
