import type { OtpAction, Payment } from '../../kit/types.js';
import { h } from '../dom.js';
import { Field } from '../field.js';
import { digitsOf, keepFormatted } from '../formatted-input.js';
import { BusyButton } from './busy-button.js';
import { CancelButton } from './cancel-button.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** The form for the code that the payer's bank sent. */
export function otpView(context: ViewContext, payment: Payment): RenderedView {
  const { t } = context.language;
  const { message } = payment.nextAction as OtpAction;
  const heading = h('h2', { tabindex: -1 }, t('otp.title'));
  const code = new Field({
    label: t('otp.label'),
    attributes: { autocomplete: 'one-time-code', inputmode: 'numeric', class: 'control code', dir: 'ltr' },
    check: (value) => (/^\d{4,10}$/.test(digitsOf(value)) ? undefined : t('error.otp')),
    refused: t('otp.wrong'),
  });
  keepFormatted(code.control as HTMLInputElement, (digits) => digits.slice(0, 10));
  const notice = h('p', { class: 'notice', role: 'alert' });
  const button = new BusyButton(t, h('span', {}, t('continue')), { class: 'primary', type: 'submit' });
  const cancel = new CancelButton(context, payment, notice);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (button.isBusy || cancel.isBusy) return;
    notice.textContent = '';
    if (!code.validate()) {
      code.control.focus();
      return;
    }
    button.start();
    const refusal = await context.flow.submitOtp(payment, digitsOf(code.value));
    button.stop();
    if (refusal === undefined) return;
    code.clear();
    if (refusal.pointers.length > 0) code.setError(t(refusal.message));
    else notice.textContent = t(refusal.message);
    code.control.focus();
  };

  const element = h(
    'form',
    { class: 'view', novalidate: true, onsubmit: (event) => void submit(event) },
    heading,
    h('p', { class: 'help' }, t('otp.help')),
    message !== undefined && message !== '' && h('p', { class: 'quote' }, message),
    code.element,
    notice,
    h('div', { class: 'actions' }, button.element, cancel.element, button.status),
  );
  return { element, focus: code.control, onRetry: (offline) => button.retrying(offline) };
}
