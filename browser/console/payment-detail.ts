import { h, type Child } from '../element/dom.js';
import { formatAmount } from '../element/money.js';
import type { Payment } from '../kit/api.js';
import type { MerchantEvent, TimelineEntry } from './api.js';
import { confirm } from './confirm-dialog.js';
import { Refused, type MerchantApi } from './merchant-api.js';
import { paymentActions } from './payment-actions.js';
import { statePicture } from './state-picture.js';
import { badge } from './status-badge.js';
import { dateTime, deliveryWords, entryWords, methodWord } from './words.js';

/** Seconds that one request waits for a change of the payment. */
const WAIT_SECONDS = 25;
const PAUSE_AFTER_ERROR_MS = 5_000;

const LIVE = new Set(['processing', 'requires_action', 'authorized']);

/** One payment: its facts, the possible actions, its timeline and its events. It updates itself while it is open. */
export class PaymentDetail {
  readonly element: HTMLElement;
  readonly heading = h('h2', { tabindex: -1 });
  readonly #api: MerchantApi;
  readonly #id: string;
  readonly #changed: (payment: Payment) => void;
  readonly #facts = h('div');
  readonly #actions = h('div', { class: 'buttons' });
  readonly #error = h('p', { class: 'error', role: 'alert' });
  readonly #history = h('div');
  readonly #events = h('div');
  readonly #announcer = h('p', { class: 'unseen', role: 'status' });
  readonly #closed = new AbortController();

  constructor(api: MerchantApi, id: string, changed: (payment: Payment) => void) {
    this.#api = api;
    this.#id = id;
    this.#changed = changed;
    this.element = h(
      'section',
      { class: 'detail', 'aria-label': 'Payment' },
      h('a', { href: '#', class: 'back' }, 'Back to payments'),
      this.heading,
      this.#facts,
      this.#actions,
      this.#error,
      this.#history,
      this.#events,
      this.#announcer,
    );
  }

  async open(): Promise<void> {
    try {
      const payment = await this.#api.payment(this.#id);
      await this.#show(payment);
      void this.#follow(payment.updatedAt);
    } catch (error) {
      this.heading.textContent = 'Payment';
      this.#fail(error);
    }
  }

  close(): void {
    this.#closed.abort();
  }

  async #follow(shown: string): Promise<void> {
    const { signal } = this.#closed;
    for (let last = shown; !signal.aborted;) {
      try {
        const payment = await this.#api.payment(this.#id, WAIT_SECONDS, signal);
        const now = payment.updatedAt;
        if (now !== last) await this.#show(payment);
        last = now;
        // a finished payment may still change through late money, but nobody need wait for that
        if (!LIVE.has(payment.status) && payment.pendingOperation === null) return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_ERROR_MS));
      }
    }
  }

  async #show(payment: Payment): Promise<void> {
    const [timeline, events] = await Promise.all([
      this.#api.timeline(this.#id),
      this.#api.events(this.#id).catch(() => []),
    ]);
    if (this.#closed.signal.aborted) return;
    this.heading.replaceChildren(payment.reference, ' ', badge(payment));
    this.#facts.replaceChildren(facts(payment));
    this.#actions.replaceChildren(
      ...paymentActions({
        api: this.#api,
        payment,
        done: (after) => {
          this.#error.textContent = '';
          this.#announcer.textContent = 'Done.';
          void this.#show(after);
        },
        failed: (error) => this.#fail(error),
      }),
    );
    this.#history.replaceChildren(history(timeline));
    this.#events.replaceChildren(this.#eventList(events));
    this.#changed(payment);
  }

  #fail(error: unknown): void {
    this.#error.textContent = error instanceof Refused ? error.message : 'That did not work.';
  }

  #eventList(events: readonly MerchantEvent[]): HTMLElement {
    const redeliver = (event: MerchantEvent): HTMLElement =>
      h(
        'button',
        { type: 'button', 'aria-label': `Redeliver ${event.type}`, onclick: () => this.#askRedeliver(event) },
        'Redeliver',
      );
    return h(
      'section',
      {},
      h('h3', {}, 'Events to your server'),
      events.length === 0
        ? h('p', { class: 'muted' }, 'None yet.')
        : h(
            'ul',
            { class: 'events' },
            ...events.map((event) =>
              h(
                'li',
                {},
                h('code', {}, event.type),
                h('span', {}, deliveryWords(event)),
                h('time', { datetime: event.timestamp }, dateTime(event.timestamp)),
                this.#api.access === 'write' && redeliver(event),
              ),
            ),
          ),
    );
  }

  #askRedeliver(event: MerchantEvent): void {
    confirm({
      title: 'Send this event again?',
      content: [h('p', {}, `${event.type} is sent to your server once more, with the same webhook-id.`)],
      action: 'Redeliver event',
      run: async () => {
        await this.#api.redeliver(event.id);
        this.#announcer.textContent = 'The event is on its way.';
      },
    });
  }
}

function facts(payment: Payment): HTMLElement {
  const money = (amount: string): string => formatAmount(amount, payment.currency, navigator.language);
  const fact = (term: string, value: Child): HTMLElement | false =>
    value !== undefined && value !== '' && h('div', {}, h('dt', {}, term), h('dd', {}, value));
  const { card, failure, pendingOperation, duplicateOf } = payment;
  return h(
    'dl',
    { class: 'facts' },
    fact('Amount', money(payment.amount)),
    payment.amountAuthorized !== null && fact('Held', money(payment.amountAuthorized)),
    payment.amountCaptured !== null && fact('Received', money(payment.amountCaptured)),
    payment.amountRefunded !== null && fact('Given back', money(payment.amountRefunded)),
    payment.disputed && fact('Disputed', 'The payer’s bank has taken the money back'),
    fact(
      'Method',
      `${methodWord(payment.method)}${card === null ? '' : ` · ${card.brand ?? ''} ···· ${card.last4}`}`,
    ),
    failure !== null && fact('Why not', `${failure.message} (${failure.gatewayCode ?? failure.code})`),
    pendingOperation !== null &&
      fact('Open question', `${pendingOperation.type}, since ${dateTime(pendingOperation.since)}`),
    duplicateOf !== null && fact('Duplicate of', h('a', { href: `#${duplicateOf}` }, duplicateOf)),
    fact('Gateway reference', h('code', {}, payment.gatewayReference)),
    fact('Payment', h('code', {}, payment.id)),
    fact('Created', dateTime(payment.createdAt)),
  );
}

function history(timeline: readonly TimelineEntry[]): HTMLElement {
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
          h('span', {}, entryWords(entry), entry.actor !== undefined && ` · by ${entry.actor}`),
          entry.detail !== undefined &&
            h(
              'span',
              { class: 'muted' },
              Object.values(entry.detail)
                .filter((text) => text !== '')
                .join(' · '),
            ),
        ),
      ),
    ),
  );
}
