import type { Payment } from '../../kit/types.js';
import { h } from '../dom.js';
import type { MessageKey } from '../messages.js';
import type { ViewContext } from './view-context.js';

/**
 * For a payer who has done their part elsewhere: looks at once whether it has arrived, and then says kindly that it may
 * take a while. The page remembers it, for their money may be on its way.
 */
export function sentButton(
  context: ViewContext,
  payment: Payment,
  progress: HTMLElement,
  texts: { label: MessageKey; thanks: MessageKey },
): HTMLElement {
  const { t } = context.language;
  const button = h('button', { type: 'button', class: 'primary' }, h('span', {}, t(texts.label)));
  const thank = (): void => {
    progress.textContent = t(texts.thanks);
    button.hidden = true;
  };
  button.addEventListener('click', () => {
    // it takes the focus of the button, and is read then: as a live region it would be read twice
    progress.removeAttribute('role');
    thank();
    progress.tabIndex = -1;
    progress.focus();
    void context.flow.sent(payment);
  });
  if (context.flow.partOf(payment.id).hasSent) thank();
  return button;
}
