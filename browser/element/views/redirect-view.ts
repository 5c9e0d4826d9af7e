import type { Payment, RedirectAction } from '../../kit/types.js';
import { h } from '../dom.js';
import { CancelButton } from './cancel-button.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** The payer is to go to their bank's or wallet's page, is going there, or came back from it without an end. */
export function redirectView(context: ViewContext, payment: Payment, leaving: boolean): RenderedView {
  const { t } = context.language;
  const action = payment.nextAction as RedirectAction;
  const notice = h('p', { class: 'notice', role: 'alert' });
  const cancel = new CancelButton(context, payment, notice);
  const go = h(
    'button',
    { type: 'button', class: 'primary', onclick: () => context.flow.go(action) },
    h('span', {}, t('continue')),
  );
  const heading = h('h2', { tabindex: -1 }, t('redirect.title'));
  const element = h(
    'div',
    { class: 'view' },
    heading,
    h('p', { class: 'help' }, t(payment.method === 'wallet' ? 'redirect.wallet' : 'redirect.card')),
    leaving && h('p', { class: 'progress', role: 'status' }, t('redirect.leaving')),
    notice,
    h('div', { class: 'actions' }, go, cancel.element),
  );
  return { element, focus: heading };
}
