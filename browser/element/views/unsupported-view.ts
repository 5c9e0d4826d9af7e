import type { Payment } from '../../kit/types.js';
import { describe, h } from '../dom.js';
import { CancelButton } from './cancel-button.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** A question of the bank's that this page cannot ask. The payer can only take another way. */
export function unsupportedView(context: ViewContext, payment: Payment): RenderedView {
  const { t } = context.language;
  const heading = h('h2', { tabindex: -1 }, t('unsupported.title'));
  const notice = h('div', { class: 'notice', role: 'alert' });
  const element = h(
    'div',
    { class: 'view' },
    heading,
    h('p', { class: 'help' }, t('unsupported.instruction')),
    notice,
    h('div', { class: 'actions' }, new CancelButton(context, payment, notice).element),
  );
  describe(heading, [...element.querySelectorAll<HTMLElement>(':scope > .help')]);
  return { element, focus: heading };
}
