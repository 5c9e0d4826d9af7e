import { h } from '../element/dom.js';
import type { MerchantEvent } from './api.js';
import { keepFresh } from './keep-fresh.js';
import type { MerchantApi } from './merchant-api.js';
import { heading, type Page } from './page.js';
import { Part } from './part.js';
import { redeliverButton } from './payment-events.js';
import { showError } from './refused.js';
import { hrefOf, type Route } from './route.js';
import { dateTime, deliveryWords } from './words.js';

const FRESH_SECONDS = 10;
const MOST = 100;

/** Events that the merchant’s server does not have yet. */
export class EventsPage implements Page {
  readonly element: HTMLElement;
  readonly heading = heading('Undelivered events');
  readonly #api: MerchantApi;
  readonly #list = new Part(h('div', { class: 'stack' }));
  readonly #error = h('div', { class: 'error', role: 'alert' });
  readonly #announcer = h('p', { class: 'unseen', role: 'status' });
  readonly #closed = new AbortController();

  constructor(api: MerchantApi) {
    this.#api = api;
    this.element = h(
      'section',
      { class: 'stack', 'aria-label': 'Undelivered events' },
      this.heading,
      this.#error,
      this.#list.element,
      this.#announcer,
    );
  }

  accept({ path }: Route): boolean {
    return path[0] === 'events';
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
      const events = await this.#api.waitingEvents();
      this.#error.textContent = '';
      this.#list.show(events, () => this.#draw(events));
    } catch (error) {
      showError(this.#error, error);
    }
  }

  #draw(events: readonly MerchantEvent[]): HTMLElement[] {
    if (events.length === 0) return [h('p', { class: 'muted' }, 'Your server has every event.')];
    const more = `These are the next ${MOST} to be sent.`;
    return [
      h(
        'p',
        { class: 'muted' },
        events.length === MOST ? more : 'They are sent again until your server accepts them.',
      ),
      h('ul', { class: 'events card' }, ...events.map((event) => this.#line(event))),
    ];
  }

  #line(event: MerchantEvent): HTMLElement {
    const { nextAttemptAt } = event.delivery;
    return h(
      'li',
      {},
      h('code', {}, event.type),
      event.type.startsWith('payment.') && 'id' in event.data
        ? h('a', { href: hrefOf(`payments/${event.data.id}`) }, event.data.reference)
        : h('span', {}, event.data.reference),
      h('span', {}, deliveryWords(event)),
      nextAttemptAt !== null &&
        h(
          'span',
          { class: 'muted' },
          'next ',
          h('time', { datetime: nextAttemptAt }, dateTime(nextAttemptAt)),
        ),
      this.#api.mayAct && redeliverButton(this.#api, event, (words) => (this.#announcer.textContent = words)),
    );
  }
}
