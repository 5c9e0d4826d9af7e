import { h } from '../element/dom.js';
import type { Settlement } from './api.js';
import { labelled } from './confirm-dialog.js';
import { differenceCount } from './difference-words.js';
import type { MerchantApi } from './merchant-api.js';
import { heading, type Page } from './page.js';
import { showError } from './refused.js';
import { hrefOf, type Route } from './route.js';
import { dateTime, shortTime } from './words.js';

/** The gateway’s settlement reports, and a form that compares another one. */
export class SettlementsPage implements Page {
  readonly element: HTMLElement;
  readonly heading = heading('Settlements');
  readonly #api: MerchantApi;
  readonly #body = h('tbody', { role: 'rowgroup' });
  readonly #more = h(
    'button',
    { type: 'button', hidden: true, onclick: () => void this.#load() },
    'Show more',
  );
  readonly #state = h('p', { class: 'muted', role: 'status' });
  readonly #error = h('div', { class: 'error', role: 'alert' });
  #cursor: string | undefined;

  constructor(api: MerchantApi) {
    this.#api = api;
    this.element = h(
      'section',
      { class: 'list', 'aria-label': 'Settlements' },
      this.heading,
      h('p', { class: 'muted' }, 'What the gateway has paid out, compared with the payments here.'),
      api.mayKeepBooks && uploadForm(api),
      h(
        'table',
        { class: 'rows', role: 'table' },
        h('caption', { class: 'unseen' }, 'Settlement reports, the newest first'),
        h('thead', { role: 'rowgroup' }, headings()),
        this.#body,
      ),
      this.#state,
      this.#error,
      this.#more,
    );
  }

  accept({ path }: Route): boolean {
    return path[0] === 'settlements' && path[1] === undefined;
  }

  open(): Promise<void> {
    return this.#load();
  }

  close(): void {
    this.#more.hidden = true;
  }

  async #load(): Promise<void> {
    this.#error.textContent = '';
    try {
      const { data, nextCursor } = await this.#api.settlements({ cursor: this.#cursor });
      this.#body.append(...data.map(row));
      this.#cursor = nextCursor ?? undefined;
      this.#more.hidden = nextCursor === null;
      this.#state.textContent = this.#body.childElementCount === 0 ? 'No report has been compared yet.' : '';
    } catch (error) {
      showError(this.#error, error);
    }
  }
}

function headings(): HTMLElement {
  const column = (label: string, kind = ''): HTMLElement =>
    h('th', { scope: 'col', role: 'columnheader', class: kind }, label);
  return h(
    'tr',
    { role: 'row' },
    column('Report'),
    column('Differences', 'number'),
    column('Rows', 'number wide'),
    column('Sent by'),
    column('Received', 'when'),
  );
}

function row(settlement: Settlement): HTMLElement {
  const { id, receivedAt, actor, rows, counts } = settlement;
  const count = differenceCount(counts);
  return h(
    'tr',
    { role: 'row' },
    h(
      'th',
      { scope: 'row', role: 'rowheader' },
      h('a', { href: hrefOf(`settlements/${id}`) }, reportName(settlement)),
    ),
    h(
      'td',
      { role: 'cell', class: 'number' },
      h(
        'span',
        { class: count === 0 ? 'badge succeeded' : 'badge attention' },
        count === 0 ? 'None' : String(count),
      ),
    ),
    h('td', { role: 'cell', class: 'number wide' }, String(rows)),
    h('td', { role: 'cell' }, actor),
    h('td', { role: 'cell', class: 'when' }, h('time', { datetime: receivedAt }, shortTime(receivedAt))),
  );
}

/** A report by its time, which is what people know it by. */
export function reportName({ from, to, receivedAt }: Settlement): string {
  if (from === null || to === null) return `Report of ${dateTime(receivedAt)}`;
  const [first, last] = [shortTime(from), shortTime(to)];
  return first === last ? first : `${first} – ${last}`;
}

/** Sends a report, and the shop’s own orders where they are given; then shows what differs. */
function uploadForm(api: MerchantApi): HTMLElement {
  const file = (required: boolean): HTMLInputElement =>
    h('input', { type: 'file', accept: '.csv,text/csv', required });
  const [report, orders] = [file(true), file(false)];
  const error = h('div', { class: 'error', role: 'alert' });
  const told = h('p', { class: 'muted', role: 'status' });
  const send = h('button', { type: 'submit', class: 'primary' }, 'Compare');
  const submit = async (): Promise<void> => {
    const [first, second] = [report.files?.[0], orders.files?.[0]];
    if (first === undefined || send.getAttribute('aria-disabled') === 'true') return;
    send.setAttribute('aria-disabled', 'true');
    error.textContent = '';
    told.textContent = 'Comparing…';
    try {
      const { id } = await api.compare(first);
      if (second !== undefined) await api.compareOrders(id, second);
      location.hash = hrefOf(`settlements/${id}`);
    } catch (problem) {
      showError(error, problem);
    } finally {
      told.textContent = '';
      send.removeAttribute('aria-disabled');
    }
  };
  return h(
    'form',
    {
      class: 'card stack narrow',
      onsubmit: (event) => {
        event.preventDefault();
        void submit();
      },
    },
    labelled(
      'The gateway’s report',
      report,
      'CSV, at most 64 MiB. The same file again makes no second comparison.',
    ),
    labelled('Your orders', orders, 'Optional. CSV with the columns reference, amount, currency and status.'),
    error,
    told,
    h('div', { class: 'buttons' }, send),
  );
}
