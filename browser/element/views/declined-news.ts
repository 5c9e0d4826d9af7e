import type { Payment } from '../../kit/types.js';
import { h } from '../dom.js';
import { outcomeIcon } from '../icons.js';
import { failureText } from './failure-text.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** That a payment failed, and why. The form to pay again stands below it. `restart` begins anew, without the card. */
export function declinedNews(
  context: ViewContext,
  payment: Payment,
  restart: () => Promise<void>,
): RenderedView {
  const { t } = context.language;
  const heading = h('h2', { tabindex: -1 }, t('failed.title'));
  const element = h(
    'div',
    { class: 'declined' },
    outcomeIcon('bad'),
    h('div', { class: 'why' }, heading, ...failureText(context, payment).map((text) => h('p', {}, text))),
    h('button', { type: 'button', class: 'quiet', onclick: () => void restart() }, t('tryAnother')),
  );
  return { element, focus: heading };
}
