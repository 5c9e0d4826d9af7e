import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import { money, sum } from './amounts.js';
import type { Approval, MerchantEvent, Refund, TimelineEntry } from './api.js';
import { approvalButtons } from './approval-buttons.js';
import { approvalWords, personOf, waitsWords } from './approval-words.js';
import { keepFresh } from './keep-fresh.js';
import { waits, type MerchantApi } from './merchant-api.js';
import { heading } from './page.js';
import { Part } from './part.js';
import { paymentActions, resolve, type ActionContext } from './payment-actions.js';
import { eventList } from './payment-events.js';
import { facts, otherPayments } from './payment-facts.js';
import { sidesTable } from './payment-sides.js';
import { showError } from './refused.js';
import { statePicture } from './state-picture.js';
import { badge } from './status-badge.js';
import { entryNote, entrySentence } from './timeline-words.js';
import { dateTime } from './words.js';

/** Seconds that one request waits for a change of the payment. */
const WAIT_SECONDS = 10;
const PAUSE_AFTER_ERROR_MS = 5_000;
/** What may change without a word to those who wait: events and their delivery, refunds, late money. */
const FRESH_SECONDS = 10;

const LIVE = new Set(['processing', 'requires_action', 'authorized']);

/** All that is shown of a payment. */
interface Shown {
  payment: Payment;
  timeline: readonly TimelineEntry[];
  refunds: readonly Refund[];
  events: readonly MerchantEvent[];
  /** What of it waits for another person. */
  approvals: readonly Approval[];
  /** The other payments of its order. */
  others: readonly Payment[];
}

/** One payment: its facts, the possible actions, its timeline, its refunds and its events. It updates itself while it is open. */
export class PaymentDetail {
  readonly element: HTMLElement;
  readonly heading = heading();
  readonly #back: HTMLAnchorElement;
  readonly #api: MerchantApi;
  readonly #id: string;
  readonly #changed: (payment: Payment) => void;
  readonly #title = new Part(this.heading);
  readonly #facts = new Part(h('div'));
  readonly #sides = new Part(h('div'));
  readonly #actions = new Part(h('div', { class: 'buttons' }));
  readonly #told = h('p', { class: 'told', role: 'status' });
  readonly #approvals = new Part(h('div', { class: 'stack' }));
  readonly #others = new Part(h('div'));
  readonly #error = h('div', { class: 'error', role: 'alert' });
  readonly #history = new Part(h('div'));
  readonly #refunds = new Part(h('div'));
  readonly #events = new Part(h('div'));
  readonly #announcer = h('p', { class: 'unseen', role: 'status' });
  readonly #closed = new AbortController();
  #turn = 0;

  constructor(api: MerchantApi, id: string, back: string, changed: (payment: Payment) => void) {
    this.#api = api;
    this.#id = id;
    this.#changed = changed;
    this.#back = h('a', { href: back, class: 'back' }, 'Back to payments');
    this.element = h(
      'section',
      { class: 'detail', 'aria-label': 'Payment' },
      this.#back,
      this.heading,
      this.#facts.element,
      this.#others.element,
      this.#approvals.element,
      this.#actions.element,
      this.#told,
      this.#error,
      this.#sides.element,
      this.#history.element,
      this.#refunds.element,
      this.#events.element,
      this.#announcer,
    );
  }

  /** Where the list now is, for the way back. */
  set back(href: string) {
    this.#back.href = href;
  }

  async open(): Promise<void> {
    try {
      const payment = await this.#read();
      keepFresh(FRESH_SECONDS, async () => void (await this.#read()), this.#closed.signal);
      void this.#follow(payment);
    } catch (error) {
      this.heading.textContent = 'Payment';
      showError(this.#error, error);
    }
  }

  close(): void {
    this.#closed.abort();
  }

  /** Waits for the next change of a payment that is on its way. */
  async #follow(first: Payment): Promise<void> {
    const { signal } = this.#closed;
    let payment = first;
    while (!signal.aborted) {
      try {
        const changed = await this.#api.changed(payment.id, document.hidden ? 0 : WAIT_SECONDS, signal);
        payment = changed.body;
        await this.#read(payment);
        // A finished payment may still change through late money, but nobody need wait for that.
        if (!LIVE.has(payment.status) && payment.pendingOperation === null) return;
        if (document.hidden) await pause(PAUSE_AFTER_ERROR_MS);
        else if (changed.retryAfterSeconds > 0) await pause(changed.retryAfterSeconds * 1_000);
      } catch {
        await pause(PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  async #read(known?: Payment): Promise<Payment> {
    const turn = ++this.#turn;
    const payment = known ?? (await this.#api.payment(this.#id));
    const [timeline, refunds, events, approvals, others] = await Promise.all([
      this.#api.timeline(this.#id),
      this.#api.refunds(this.#id).catch(() => []),
      this.#api.events(this.#id).catch(() => []),
      this.#api.approvals({ paymentId: this.#id, state: 'waiting' }),
      this.#api.payments({ reference: payment.reference }),
    ]);
    if (turn === this.#turn && !this.#closed.signal.aborted)
      this.#show({
        ...{ payment, timeline, refunds, events },
        approvals: approvals.data,
        others: others.data.filter(({ id }) => id !== payment.id),
      });
    return payment;
  }

  #show(shown: Shown): void {
    const { payment, timeline, refunds, events, approvals, others } = shown;
    const readAgain = (): void => void this.#read().catch((error: unknown) => showError(this.#error, error));
    const context: ActionContext = {
      api: this.#api,
      payment,
      refunds,
      done: (answer) => {
        this.#error.textContent = '';
        this.#told.textContent = waits(answer) ? waitsWords(answer.approval) : '';
        this.#announcer.textContent = waits(answer) ? '' : 'Done.';
        readAgain();
      },
      failed: (error) => showError(this.#error, error),
    };
    this.#title.show(payment, () => [payment.reference, ' ', badge(payment)]);
    this.#facts.show(payment, () => [facts(payment)]);
    this.#actions.show([payment, refunds], () => paymentActions(context));
    this.#others.show([payment.duplicateOf, others], () =>
      others.length === 0 ? [] : [otherPayments(payment, others)],
    );
    this.#approvals.show(approvals, () =>
      approvals.map((approval) =>
        h(
          'div',
          { class: 'card stack' },
          h(
            'p',
            {},
            h('strong', {}, `${approvalWords(approval)} waits for approval.`),
            ` Asked by ${personOf(approval.askedBy)}, ${dateTime(approval.createdAt)}. Nothing was done yet.`,
          ),
          approvalButtons(this.#api, approval, (words) => {
            this.#told.textContent = words;
            readAgain();
          }),
        ),
      ),
    );
    this.#sides.show([payment, timeline, refunds], () => [sidesTable(payment, timeline, refunds)]);
    this.#history.show(timeline, () => [history(timeline, payment.currency)]);
    this.#refunds.show([payment, refunds], () => (refunds.length === 0 ? [] : [refundList(context)]));
    this.#events.show(events, () => [
      eventList(this.#api, events, (words) => (this.#announcer.textContent = words)),
    ]);
    this.#changed(payment);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function history(timeline: readonly TimelineEntry[], currency: string): HTMLElement {
  return h(
    'section',
    {},
    h('h3', {}, 'Timeline'),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Timeline, drawn' },
      statePicture(timeline),
    ),
    h(
      'ol',
      { class: 'timeline' },
      ...timeline.map((entry) =>
        h(
          'li',
          { class: entry.to === undefined ? 'finding' : 'move' },
          h('time', { datetime: entry.at }, dateTime(entry.at)),
          h('span', {}, entrySentence(entry, currency), entry.actor !== null && ` · by ${entry.actor}`),
          entryNote(entry) !== '' && h('span', { class: 'muted' }, entryNote(entry)),
        ),
      ),
    ),
  );
}

const REFUND_WORDS: Record<Refund['status'], string> = {
  processing: 'on its way',
  succeeded: 'refunded',
  failed: 'not refunded',
};

function refundList(context: ActionContext): HTMLElement {
  const { api, payment, refunds } = context;
  return h(
    'section',
    {},
    h('h3', {}, 'Refunds'),
    h(
      'ul',
      { class: 'events' },
      ...refunds.map((refund) => {
        const amount = money(refund.amount, payment.currency);
        const needsPerson = api.mayAct && payment.needsAttention && refund.status === 'processing';
        return h(
          'li',
          {},
          h('strong', {}, sum(refund.amount, payment.currency)),
          h('span', {}, REFUND_WORDS[refund.status]),
          refund.reason !== null && h('span', { class: 'muted' }, refund.reason),
          h('time', { datetime: refund.createdAt }, dateTime(refund.createdAt)),
          needsPerson &&
            h(
              'button',
              {
                type: 'button',
                'aria-label': `Resolve the refund of ${amount}`,
                onclick: () => resolve(context, refund),
              },
              'Resolve',
            ),
        );
      }),
    ),
  );
}
