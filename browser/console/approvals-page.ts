import { h } from '../element/dom.js';
import type { Approval } from './api.js';
import { approvalButtons } from './approval-buttons.js';
import { approvalWords, personOf } from './approval-words.js';
import { keepFresh } from './keep-fresh.js';
import type { MerchantApi } from './merchant-api.js';
import { heading, type Page } from './page.js';
import { Part } from './part.js';
import { showError } from './refused.js';
import { hrefOf, type Route } from './route.js';
import { dateTime } from './words.js';

const FRESH_SECONDS = 15;

/** Refunds that wait for a second person, and those decided last. */
export class ApprovalsPage implements Page {
  readonly element: HTMLElement;
  readonly heading = heading('Approvals');
  readonly #api: MerchantApi;
  readonly #waiting = new Part(h('div', { class: 'stack' }));
  readonly #decided = new Part(h('div', { class: 'stack' }));
  readonly #told = h('p', { role: 'status', class: 'told' });
  readonly #error = h('div', { class: 'error', role: 'alert' });
  readonly #closed = new AbortController();

  constructor(api: MerchantApi) {
    this.#api = api;
    this.element = h(
      'section',
      { class: 'stack', 'aria-label': 'Approvals' },
      this.heading,
      h('p', { class: 'muted' }, 'A refund here is made only when a second person approves it.'),
      this.#told,
      this.#error,
      this.#waiting.element,
      this.#decided.element,
    );
  }

  accept({ path }: Route): boolean {
    return path[0] === 'approvals';
  }

  async open(): Promise<void> {
    keepFresh(FRESH_SECONDS, () => this.#read(), this.#closed.signal);
    await this.#read();
  }

  close(): void {
    this.#closed.abort();
  }

  async #read(): Promise<void> {
    try {
      const [waiting, all] = await Promise.all([
        this.#api.approvals({ state: 'waiting' }),
        this.#api.approvals({ limit: '50' }),
      ]);
      this.#error.textContent = '';
      const decided = all.data.filter(({ state }) => state !== 'waiting');
      this.#waiting.show(waiting, () => [
        h('h3', {}, 'Waiting'),
        waiting.data.length === 0 && h('p', { class: 'muted' }, 'Nothing waits for approval.'),
        ...waiting.data.map((approval) => this.#card(approval)),
      ]);
      this.#decided.show(decided, () =>
        decided.length === 0 ? [] : [h('h3', {}, 'Decided'), list(decided)],
      );
    } catch (error) {
      showError(this.#error, error);
    }
  }

  #card(approval: Approval): HTMLElement {
    const { askedBy, reason, createdAt, expiresAt } = approval;
    return h(
      'section',
      { class: 'card stack', 'aria-label': approvalWords(approval) },
      h('h4', {}, approvalWords(approval), ' ', about(approval)),
      h('p', {}, `Asked by ${personOf(askedBy)}, ${dateTime(createdAt)}. Ends ${dateTime(expiresAt)}.`),
      reason !== null && h('p', {}, `“${reason}”`),
      approvalButtons(this.#api, approval, (words) => {
        this.#told.textContent = words;
        void this.#read();
      }),
    );
  }
}

/** The payment that it is about. */
function about({ paymentId, reference }: Approval): HTMLElement {
  return h('a', { href: hrefOf(`payments/${paymentId}`) }, reference);
}

const STATES: Record<Approval['state'], string> = {
  waiting: 'waiting',
  approved: 'Approved',
  declined: 'Declined',
  expired: 'Ended: nobody decided within 7 days',
};

function list(approvals: readonly Approval[]): HTMLElement {
  return h(
    'ul',
    { class: 'events' },
    ...approvals.map((approval) => {
      const { state, decidedBy, decidedAt, note } = approval;
      return h(
        'li',
        {},
        h('strong', {}, approvalWords(approval)),
        about(approval),
        h('span', {}, `${STATES[state]}${decidedBy === null ? '' : ` by ${personOf(decidedBy)}`}`),
        note !== null && h('span', { class: 'muted' }, note),
        decidedAt !== null && h('time', { datetime: decidedAt }, dateTime(decidedAt)),
      );
    }),
  );
}
