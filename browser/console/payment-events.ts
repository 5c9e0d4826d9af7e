import { h } from '../element/dom.js';
import type { MerchantEvent } from './api.js';
import { confirm } from './confirm-dialog.js';
import type { MerchantApi } from './merchant-api.js';
import { dateTime, deliveryWords } from './words.js';

/** The events that the merchant’s server got, or is to get, of one payment. */
export function eventList(
  api: MerchantApi,
  events: readonly MerchantEvent[],
  announce: (words: string) => void,
): HTMLElement {
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
              api.mayAct && redeliverButton(api, event, announce),
            ),
          ),
        ),
  );
}

/** Sends an event again, after a question. */
export function redeliverButton(
  api: MerchantApi,
  event: MerchantEvent,
  announce: (words: string) => void,
): HTMLElement {
  const ask = (): void =>
    confirm({
      title: 'Send this event again?',
      content: [h('p', {}, `${event.type} is sent to your server once more, with the same webhook-id.`)],
      action: () => 'Redeliver event',
      run: async () => {
        await api.redeliver(event.id);
        announce('The event is on its way.');
      },
    });
  return h('button', { type: 'button', 'aria-label': `Redeliver ${event.type}`, onclick: ask }, 'Redeliver');
}
