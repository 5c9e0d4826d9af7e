import type { Payment } from '../../kit/types.js';
import { h } from '../dom.js';
import type { MessageKey } from '../messages.js';
import type { ViewContext } from './view-context.js';

/**
 * For a payer who has done their part elsewhere: looks at once whether it has arrived, and then says kindly that it may
 * take a while.
 */
export function sentButton(
  context: ViewContext,
  payment: Payment,
  progress: HTMLElement,
  texts: { label: MessageKey; thanks: MessageKey },
): HTMLElement {
  const { t } = context.language;
  const button = h('button', { type: 'button', class: 'primary' }, h('span', {}, t(texts.label)));
  button.addEventListener('click', () => {
    progress.textContent = t(texts.thanks);
    progress.tabIndex = -1;
    progress.focus();
    button.hidden = true;
    void context.flow.look(payment);
  });
  return button;
}
