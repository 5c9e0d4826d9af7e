import type { Payment } from '../../kit/types.js';
import { h } from '../dom.js';
import { Field } from '../field.js';
import { digitsOf, keepFormatted } from '../formatted-input.js';
import { BusyButton } from './busy-button.js';
import { CancelButton } from './cancel-button.js';
import { refusalText } from './refusal-text.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** What each kind of code looks like. A PIN is not shown while it is typed. */
const FORMS = {
  otp: { most: 10, attributes: { autocomplete: 'one-time-code' } },
  pin: { most: 6, attributes: { autocomplete: 'off', type: 'password' } },
} as const;

/** The form for the code that the payer's bank sent, or for the card's PIN. */
export function codeView(context: ViewContext, payment: Payment, type: 'otp' | 'pin'): RenderedView {
  const { t } = context.language;
  const { message } = payment.nextAction as { message?: string };
  const { most, attributes } = FORMS[type];
  const heading = h('h2', { tabindex: -1 }, t(`${type}.title`));
  const code = new Field({
    label: t(`${type}.label`),
    attributes: { ...attributes, inputmode: 'numeric', class: 'control code', dir: 'ltr' },
    check: (value) => {
      const { length } = digitsOf(value);
      return length >= 4 && length <= most ? undefined : t(`error.${type}`);
    },
    refused: t(`${type}.wrong`),
  });
  keepFormatted(code.control as HTMLInputElement, (digits) => digits.slice(0, most));
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
    { class: 'view', novalidate: true, onsubmit: (event) => void submit(event) },
    heading,
    // the bank's own words, where there are any: ours would say the same again
    message === undefined || message === ''
      ? h('p', { class: 'help' }, t(`${type}.help`))
      : h('p', { class: 'quote' }, message),
    code.element,
    notice,
    h('div', { class: 'actions' }, button.element, cancel.element, button.status),
    // nothing can be sent again from here, but the payer can do something
    type === 'otp' && h('p', { class: 'hint' }, t('otp.none')),
  );
  return { element, focus: code.control, onRetry: (offline) => button.retrying(offline) };
}
