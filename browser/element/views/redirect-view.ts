import type { Payment, RedirectAction } from '../../kit/types.js';
import { describe, h } from '../dom.js';
import type { RedirectStage } from '../view.js';
import { CancelButton } from './cancel-button.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** The payer has to go to their bank's or wallet's page, is on the way there, or came back without a result. */
export function redirectView(context: ViewContext, payment: Payment, stage: RedirectStage): RenderedView {
  const { t } = context.language;
  const action = payment.nextAction as RedirectAction;
  const isReturned = stage === 'returned';
  const notice = h('div', { class: 'notice', role: 'alert' });
  const cancel = new CancelButton(context, payment, notice);
  const go = h(
    'button',
    {
      type: 'button',
      class: isReturned ? 'quiet' : 'primary',
      onclick: () => context.flow.go(payment, action),
    },
    h('span', {}, t('continue')),
  );
  const heading = h('h2', { tabindex: -1 }, t(isReturned ? 'confirming.title' : 'redirect.title'));
  const help = isReturned
    ? 'redirect.returned'
    : payment.method === 'wallet'
      ? 'redirect.wallet'
      : 'redirect.card';
  const element = h(
    'div',
    { class: isReturned ? 'view outcome waiting' : 'view' },
    isReturned && h('span', { class: 'ring', 'aria-hidden': 'true' }),
    heading,
    h('p', { class: 'help' }, t(help)),
    stage === 'leaving' && h('p', { class: 'progress', role: 'status' }, t('redirect.leaving')),
    notice,
    h('div', { class: 'actions' }, go, cancel.element),
  );
  describe(heading, [...element.querySelectorAll<HTMLElement>(':scope > .help')]);
  return { element, focus: heading };
}
