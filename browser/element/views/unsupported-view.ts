import type { Payment, UnsupportedAction } from '../../kit/types.js';
import { h } from '../dom.js';
import { CancelButton } from './cancel-button.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** A question of the bank's that this page cannot ask. The payer can only take another way. */
export function unsupportedView(context: ViewContext, payment: Payment): RenderedView {
  const { t } = context.language;
  const { message } = payment.nextAction as Pick<UnsupportedAction, 'message'>;
  const heading = h('h2', { tabindex: -1 }, t('unsupported.title'));
  const notice = h('div', { class: 'notice', role: 'alert' });
  const element = h(
    'div',
    { class: 'view' },
    heading,
    h('p', { class: 'help' }, t('unsupported.instruction')),
    message !== undefined && h('p', { class: 'help' }, message),
    notice,
    h('div', { class: 'actions' }, new CancelButton(context, payment, notice).element),
  );
  return { element, focus: heading };
}
