import type { Payment, UssdAction } from '../../kit/types.js';
import { isHandheld } from '../device.js';
import { describe, h } from '../dom.js';
import { CancelButton } from './cancel-button.js';
import { copyButton } from './copy-button.js';
import { sentButton } from './sent-button.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** The code to dial. */
export function ussdView(context: ViewContext, payment: Payment): RenderedView {
  const { t } = context.language;
  const { code, bankName } = payment.nextAction as UssdAction;
  const heading = h('h2', { tabindex: -1 }, t('ussd.title'));
  const notice = h('div', { class: 'notice', role: 'alert' });
  // an unescaped # would begin the address's fragment
  const address = `tel:${code.replaceAll('#', '%23')}`;
  const onPhone = isHandheld();
  const progress = h('p', { class: 'progress pulse', role: 'status' }, t('ussd.waiting'));
  const sent = sentButton(context, payment, progress, { label: 'ussd.sent', thanks: 'ussd.thanks' });
  if (onPhone) sent.className = 'quiet';
  const dial = h(
    'a',
    { class: onPhone ? 'primary' : 'plain', href: address },
    t('ussd.dial', { code: `\u2066${code}\u2069` }),
  );
  const shown = h(
    'div',
    { class: 'ussd' },
    h('bdi', { class: 'value', dir: 'ltr' }, code),
    copyButton(context, code, 'copy.code'),
  );
  const element = h(
    'div',
    { class: 'view' },
    heading,
    h('p', { class: 'help' }, t(onPhone ? 'ussd.instructionHere' : 'ussd.instruction')),
    bankName !== undefined && h('p', { class: 'bank' }, bankName),
    // a phone dials by itself; at a desk the code has to get to the phone first
    ...(onPhone ? [dial, shown] : [shown, dial]),
    progress,
    notice,
    h('div', { class: 'actions' }, sent, new CancelButton(context, payment, notice).element),
  );
  describe(heading, [...element.querySelectorAll<HTMLElement>(':scope > .help')]);
  return { element, focus: heading };
}
