import type { Payment } from '../../kit/types.js';
import { describe, h } from '../dom.js';
import { outcomeIcon } from '../icons.js';
import { outcomeOf } from '../outcome.js';
import { paragraph } from '../sum.js';
import { anotherWay } from './outcome-view.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** That a payment failed, and why. The form to pay again stands below it. `restart` begins anew, without the card. */
export function declinedNews(
  context: ViewContext,
  payment: Payment,
  restart: () => Promise<void>,
): RenderedView {
  const { language, flow } = context;
  const { title, sentences } = outcomeOf(payment, flow.partOf(payment.id), false);
  const heading = h('h2', { tabindex: -1 }, language.t(title));
  const why = sentences.map((sentence) => paragraph(language, sentence, payment.currency));
  describe(heading, why);
  const element = h(
    'div',
    { class: 'declined' },
    outcomeIcon('bad'),
    h('div', { class: 'why' }, heading, ...why),
    h(
      'button',
      { type: 'button', class: 'quiet', onclick: () => void restart() },
      language.t(anotherWay(context)),
    ),
  );
  return { element, focus: heading };
}
