import { h } from '../element/dom.js';
import { sum } from './amounts.js';
import type { Movement, MovementSummaryRow } from './api.js';
import { downloadButton } from './download-button.js';
import type { MerchantApi } from './merchant-api.js';
import { daysOf, monthDownloads } from './month-downloads.js';
import { movementTable } from './movement-table.js';
import { heading, type Page } from './page.js';
import { clearError, showError } from './refused.js';
import { hrefOf, type Route } from './route.js';
import { monthWords } from './words.js';

const MONTH = /^\d{4}-\d{2}$/;

/** The ledger: sums by month and currency, and the movements of one month with their table for a spreadsheet. */
export class LedgerPage implements Page {
  readonly element: HTMLElement;
  readonly heading = heading('Ledger');
  readonly #api: MerchantApi;
  readonly #content = h('div', { class: 'stack' });
  readonly #error = h('div', { class: 'error', role: 'alert' });
  #turn = 0;

  constructor(
    api: MerchantApi,
    readonly route: Route,
  ) {
    this.#api = api;
    this.element = h(
      'section',
      { class: 'stack', 'aria-label': 'Ledger' },
      this.heading,
      this.#error,
      this.#content,
    );
  }

  accept(route: Route): boolean {
    if (route.path[0] !== 'ledger') return false;
    void this.#show(route).then(() => this.heading.focus());
    return true;
  }

  open(): Promise<void> {
    return this.#show(this.route);
  }

  close(): void {
    this.#turn++;
  }

  async #show({ path }: Route): Promise<void> {
    const month = path[1] !== undefined && MONTH.test(path[1]) ? path[1] : undefined;
    const turn = ++this.#turn;
    clearError(this.#error);
    try {
      const content = await (month === undefined ? this.#months() : this.#month(month));
      if (turn !== this.#turn) return;
      this.heading.textContent = month === undefined ? 'Ledger' : `Ledger of ${monthWords(month)}`;
      this.#content.replaceChildren(...content);
    } catch (error) {
      if (turn === this.#turn) showError(this.#error, error);
    }
  }

  async #months(): Promise<HTMLElement[]> {
    const { movements } = await this.#api.summary('month');
    if (movements.length === 0) return [h('p', { class: 'muted' }, 'No money has moved yet.')];
    return [
      sums('Sums by month and currency', movements.toReversed(), true),
      monthDownloads(
        this.#api,
        ['movements', 'payments'],
        'Movements by when money moved, payments by when they were made.',
      ),
    ];
  }

  async #month(month: string): Promise<HTMLElement[]> {
    const days = daysOf(month);
    const [{ movements: rows }, first] = await Promise.all([
      this.#api.summary('month', days),
      this.#api.movements(days),
    ]);
    const late = rows.reduce((count, row) => count + row.late, 0);
    return [
      h('a', { href: hrefOf('ledger'), class: 'back' }, 'All months'),
      sums('Sums by currency', rows, false),
      ...(late === 0 ? [] : [h('p', {}, `${lateWords(late)} recorded after the month had ended.`)]),
      h(
        'div',
        { class: 'buttons' },
        downloadButton('Download the movements (CSV)', `movements-${month}.csv`, {
          load: () => this.#api.movementsTable(days),
          error: this.#error,
        }),
      ),
      this.#movements(days, first),
    ];
  }

  /** The movements of a month, a page at a time. */
  #movements(
    days: { from: string; to: string },
    first: { data: readonly Movement[]; nextCursor: string | null },
  ): HTMLElement {
    const list = h('div', { class: 'stack' });
    let movements = first.data;
    let cursor = first.nextCursor;
    const more = h('button', { type: 'button' }, 'Show more');
    const draw = (): void => {
      more.hidden = cursor === null;
      list.replaceChildren(
        movements.length === 0
          ? h('p', { class: 'muted' }, 'No money moved in this month.')
          : movementTable('Movements, the oldest first', movements, true),
      );
    };
    const load = async (): Promise<void> => {
      try {
        const page = await this.#api.movements({ ...days, cursor: cursor ?? undefined });
        movements = [...movements, ...page.data];
        cursor = page.nextCursor;
        draw();
      } catch (error) {
        showError(this.#error, error);
      }
    };
    more.addEventListener('click', () => void load());
    draw();
    return h('section', { class: 'stack' }, h('h3', {}, 'Movements'), list, more);
  }
}

function lateWords(count: number): string {
  return count === 1 ? '1 movement was' : `${count} movements were`;
}

const SUMS = [
  ['captured', 'Captured'],
  ['refunded', 'Refunded'],
  ['reversed', 'Voided'],
  ['chargedBack', 'Charged back'],
  ['net', 'Net'],
  ['unsettled', 'Not settled yet'],
] as const;

function sums(caption: string, rows: readonly MovementSummaryRow[], withMonth: boolean): HTMLElement {
  const column = (label: string, kind = ''): HTMLElement => h('th', { scope: 'col', class: kind }, label);
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': caption },
    h(
      'table',
      {},
      h('caption', { class: 'unseen' }, caption),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          withMonth && column('Month'),
          column('Currency'),
          ...SUMS.map(([, label]) => column(label, 'number')),
          column('Movements', 'number'),
        ),
      ),
      h('tbody', {}, ...rows.map((row) => sumRow(row, withMonth))),
    ),
  );
}

function sumRow(row: MovementSummaryRow, withMonth: boolean): HTMLElement {
  const { month = '', currency, count, late } = row;
  return h(
    'tr',
    {},
    withMonth && h('th', { scope: 'row' }, h('a', { href: hrefOf(`ledger/${month}`) }, monthWords(month))),
    h(withMonth ? 'td' : 'th', withMonth ? {} : { scope: 'row' }, currency),
    ...SUMS.map(([name]) => h('td', { class: 'number' }, sum(row[name], currency))),
    h('td', { class: 'number' }, String(count), late > 0 && ` (${late} late)`),
  );
}
