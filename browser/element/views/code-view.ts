import type { Payment } from '../../kit/types.js';
import { h } from '../dom.js';
import { Field } from '../field.js';
import { digitsOf, keepFormatted } from '../formatted-input.js';
import type { Translate } from '../messages.js';
import { pinField } from '../pin-field.js';
import { BusyButton } from './busy-button.js';
import { CancelButton } from './cancel-button.js';
import { refusalText } from './refusal-text.js';
import type { RenderedView, ViewContext } from './view-context.js';

const MOST_DIGITS = 10;

let viewCount = 0;

/** The form for the code that the payer's bank sent, or for the card's PIN. */
export function codeView(context: ViewContext, payment: Payment, type: 'otp' | 'pin'): RenderedView {
  const { t } = context.language;
  const { message } = payment.nextAction as { message?: string };
  const heading = h('h2', { tabindex: -1, id: `tillfront-code-${++viewCount}` }, t(`${type}.title`));
  const code = type === 'otp' ? otpField(t) : pinField(t);
  const notice = h('div', { class: 'notice', role: 'alert' });
  const button = new BusyButton(t, h('span', {}, t('continue')), { class: 'primary', type: 'submit' });
  const cancel = new CancelButton(context, payment, notice);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (button.isBusy || cancel.isBusy) return;
    notice.textContent = '';
    if (!code.validate()) {
      complain();
      return;
    }
    button.start();
    context.busy(true);
    context.wrong(false);
    const refusal = await context.flow.submitCode(payment, type, digitsOf(code.value));
    context.busy(false);
    button.stop();
    if (refusal === undefined) return;
    code.clear();
    if (refusal.pointers.length > 0) code.setError(t(refusal.message));
    else notice.textContent = refusalText(context, refusal);
    complain();
  };

  /** The error is read with the field. Where the field has the focus already, nothing would be read without a word. */
  const complain = (): void => {
    context.wrong(true);
    if (document.activeElement === code.control) context.announce(code.error);
    else code.control.focus();
  };

  const element = h(
    'form',
    {
      class: 'view',
      novalidate: true,
      'aria-labelledby': heading.id,
      onsubmit: (event) => void submit(event),
    },
    heading,
    h('p', { class: 'help' }, t(`${type}.help`)),
    // the bank's own words may be in any language: they are shown where they say more, like where the code went
    message !== undefined && /[\d*]/.test(message) && h('p', { class: 'quote' }, message),
    code.element,
    notice,
    h('div', { class: 'actions' }, button.element, cancel.element, button.status),
    // nothing can be sent again from here, but the payer can do something
    type === 'otp' && h('p', { class: 'hint' }, t('otp.none')),
  );
  return { element, focus: code.control, onRetry: (offline) => button.retrying(offline) };
}

function otpField(t: Translate): Field {
  const field = new Field({
    label: t('otp.label'),
    attributes: { autocomplete: 'one-time-code', inputmode: 'numeric', class: 'control code', dir: 'ltr' },
    missing: t('error.otp'),
    check: (value) => (digitsOf(value).length >= 4 ? undefined : t('error.otp')),
    refused: t('otp.wrong'),
  });
  keepFormatted(field.control as HTMLInputElement, (text) => digitsOf(text).slice(0, MOST_DIGITS));
  return field;
}
