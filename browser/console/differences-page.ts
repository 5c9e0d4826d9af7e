import { h, type Child } from '../element/dom.js';
import type { Approval, Difference, DifferenceMoney } from './api.js';
import { money } from './amounts.js';
import { personOf, waitsWords } from './approval-words.js';
import { askClose, askNote, askReopen } from './difference-dialogs.js';
import {
  DifferenceFilters,
  differenceFilterOf,
  questionOf,
  type DifferenceFilter,
} from './difference-filters.js';
import { differenceState, kindWords } from './difference-words.js';
import { keepFresh } from './keep-fresh.js';
import { waits, type MerchantApi, type Waits } from './merchant-api.js';
import { heading, type Page } from './page.js';
import { Part } from './part.js';
import { clearError, showError } from './refused.js';
import { hrefOf, queryText, type Query, type Route } from './route.js';
import { ago, momentIn } from './words.js';

const FRESH_SECONDS = 15;
const PAGE = 50;

/** Where reports, the shop's own list and the ledger differ, over all reports, to be worked off. */
export class DifferencesPage implements Page {
  readonly element: HTMLElement;
  readonly heading = heading('Differences');
  readonly #api: MerchantApi;
  readonly #filters: DifferenceFilters;
  readonly #body = h('tbody', { role: 'rowgroup' });
  readonly #rows = new Part(this.#body);
  readonly #more = h(
    'button',
    { type: 'button', hidden: true, onclick: () => void this.#loadMore() },
    'Show more',
  );
  readonly #told = h('p', { role: 'status', class: 'told' });
  readonly #state = h('p', { class: 'muted', role: 'status' });
  readonly #error = h('div', { class: 'error', role: 'alert' });
  readonly #closed = new AbortController();
  #filter: DifferenceFilter;
  #found: readonly Difference[] = [];
  #waiting: readonly Approval[] = [];
  #cursor: string | null = null;
  #turn = 0;

  constructor(api: MerchantApi, { query }: Route) {
    this.#api = api;
    this.#filter = differenceFilterOf(query);
    this.#filters = new DifferenceFilters((filter) => (location.hash = hrefOf('differences', filter)));
    this.element = h(
      'section',
      { class: 'list', 'aria-label': 'Differences' },
      this.heading,
      h(
        'p',
        { class: 'muted' },
        'Where settlement reports, your own list of orders and the ledger differ, over all reports. One closes itself when what it lacked arrives.',
      ),
      this.#filters.element,
      this.#told,
      this.#error,
      h(
        'table',
        { class: 'rows differences work', role: 'table' },
        h('caption', { class: 'unseen' }, 'Differences, the newest first'),
        h('thead', { role: 'rowgroup' }, headings(api.mayKeepBooks)),
        this.#body,
      ),
      this.#state,
      this.#more,
    );
  }

  accept({ path, query }: Route): boolean {
    if (path[0] !== 'differences') return false;
    const filter = differenceFilterOf(query);
    if (queryText(filter) === queryText(this.#filter)) return true;
    this.#filter = filter;
    this.#found = [];
    this.#told.textContent = '';
    this.#filters.show(filter);
    void this.#read();
    return true;
  }

  async open(): Promise<void> {
    this.#filters.show(this.#filter);
    keepFresh(FRESH_SECONDS, () => this.#read(), this.#closed.signal);
    await this.#read();
  }

  close(): void {
    this.#closed.abort();
  }

  /** Reads as many again as are shown. */
  async #read(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const limit = String(Math.min(Math.max(this.#found.length, PAGE), 100));
      const [page, waiting] = await Promise.all([
        this.#api.allDifferences({ ...this.#question(), limit }),
        this.#api.approvals({ state: 'waiting' }),
      ]);
      if (turn !== this.#turn) return;
      const last = page.data.at(-1);
      const older = last === undefined ? [] : this.#found.filter(({ id }) => id < last.id);
      this.#found = page.nextCursor === null ? page.data : [...page.data, ...older];
      if (older.length === 0 || page.nextCursor === null) this.#cursor = page.nextCursor;
      this.#waiting = waiting.data;
      clearError(this.#error);
      this.#showRows();
    } catch (error) {
      if (turn === this.#turn) this.#refuse(error);
    }
  }

  async #loadMore(): Promise<void> {
    if (this.#cursor === null) return;
    const turn = ++this.#turn;
    try {
      const page = await this.#api.allDifferences({ ...this.#question(), cursor: this.#cursor });
      if (turn !== this.#turn) return;
      this.#found = [...this.#found, ...page.data];
      this.#cursor = page.nextCursor;
      this.#showRows();
    } catch (error) {
      this.#refuse(error);
    }
  }

  #question(): Query {
    return questionOf(this.#filter, this.#api.caller.timeZone, new Date());
  }

  #refuse(error: unknown): void {
    showError(this.#error, error);
    this.#found = [];
    this.#cursor = null;
    this.#drawRows();
    this.#state.textContent = '';
  }

  #showRows(): void {
    this.#state.textContent = this.#found.length === 0 ? 'No differences match.' : '';
    this.#drawRows();
  }

  #drawRows(): void {
    this.#more.hidden = this.#cursor === null;
    this.#rows.show([this.#found, this.#waiting], () => this.#found.map((one) => this.#row(one)));
  }

  #row(difference: Difference): HTMLElement {
    const { name, reference, paymentId, expected, found } = difference;
    const cell = { role: 'cell' };
    return h(
      'tr',
      { role: 'row', 'data-difference': difference.id },
      h(
        'th',
        { scope: 'row', role: 'rowheader' },
        paymentId === null ? reference : h('a', { href: hrefOf(`payments/${paymentId}`) }, reference),
      ),
      h('td', cell, h('strong', {}, kindWords(name)), ...this.#standing(difference)),
      h('td', { ...cell, class: 'number', 'data-label': 'Here' }, amount(expected)),
      h('td', { ...cell, class: 'number', 'data-label': 'There' }, amount(found)),
      h('td', cell, ...this.#origin(difference)),
      this.#api.mayKeepBooks && h('td', cell, this.#buttons(difference)),
    );
  }

  /** What is done about it, who has closed it, and what people noted. */
  #standing(difference: Difference): HTMLElement[] {
    const { id, note, closedBy } = difference;
    const line = (...words: Child[]): HTMLElement => h('span', { class: 'beside' }, ...words);
    const state = differenceState(difference);
    const waiting = this.#waiting.filter(({ differenceId }) => differenceId === id);
    return [
      ...(state === '' ? [] : [line(sentence(state), closedBy !== null && ` By ${personOf(closedBy)}.`)]),
      ...waiting.map(({ askedBy }) =>
        line(h('a', { href: hrefOf('approvals') }, 'Waits for approval'), `, asked by ${personOf(askedBy)}.`),
      ),
      ...(note === null ? [] : [line(`“${note}”`)]),
    ];
  }

  /** Where it comes from, and since when it is known. */
  #origin({ settlementId, row: line, foundAt }: Difference): Child[] {
    const place = line === null ? 'Report' : `Report, line ${line}`;
    const { timeZone } = this.#api.caller;
    return [
      settlementId === null ? 'Ledger' : h('a', { href: hrefOf(`settlements/${settlementId}`) }, place),
      h(
        'span',
        { class: 'beside' },
        h('time', { datetime: foundAt }, momentIn(timeZone, foundAt)),
        sinceWords(foundAt),
      ),
    ];
  }

  #buttons(difference: Difference): HTMLElement {
    const { state, reference, name } = difference;
    const about = `${reference}, ${kindWords(name)}`;
    const button = (label: string, act: () => void): HTMLElement =>
      h('button', { type: 'button', 'aria-label': `${label} ${about}`, onclick: act }, label);
    const done = (words: string) => (answer: Difference | Waits) =>
      this.#done(difference, waits(answer) ? waitsWords(answer.approval) : `${words} ${about}.`);
    return h(
      'div',
      { class: 'buttons' },
      state === 'open'
        ? button('Close', () => askClose(this.#api, difference, done('Closed.')))
        : button('Reopen', () => askReopen(this.#api, difference, done('Open again.'))),
      button('Note', () => askNote(this.#api, difference, done('Noted.'))),
    );
  }

  /** The rows as they are now. What a dialog's button was pressed on may be gone: then the row in its place has the focus. */
  async #done({ id }: Difference, words: string): Promise<void> {
    const place = this.#found.findIndex((one) => one.id === id);
    this.#told.textContent = words;
    await this.#read();
    const rows = [...this.#body.children];
    const row = rows.find((one) => one.getAttribute('data-difference') === id) ?? rows[place] ?? rows.at(-1);
    const focus = (): void => {
      const button = row?.querySelector<HTMLElement>('button') ?? this.heading;
      button.focus({ preventScroll: true });
    };
    // The dialog gives the focus back when it closes, to what may be gone.
    setTimeout(focus);
  }
}

/** How long it has been known, from an hour on. */
function sinceWords(foundAt: string): string {
  const words = ago(foundAt, new Date().toISOString());
  return /day|hour/.test(words) ? ` (${words} ago)` : '';
}

function amount(sum: DifferenceMoney | null): Child {
  if (sum === null) return '';
  return h('bdi', { class: 'sum' }, sum.currency === null ? sum.amount : money(sum.amount, sum.currency));
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function headings(withActions: boolean): HTMLElement {
  const column = (label: string, kind = ''): HTMLElement =>
    h('th', { scope: 'col', role: 'columnheader', class: kind }, label);
  return h(
    'tr',
    { role: 'row' },
    column('Reference'),
    column('What differs'),
    column('Here', 'number'),
    column('There', 'number'),
    column('From'),
    withActions && column('Work off'),
  );
}
