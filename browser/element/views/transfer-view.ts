import type { Payment, TransferAction } from '../../kit/types.js';
import { describe, h } from '../dom.js';
import type { MessageKey } from '../messages.js';
import { phrase, sum } from '../sum.js';
import { CancelButton } from './cancel-button.js';
import { copyButton } from './copy-button.js';
import { sentButton } from './sent-button.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** The account to transfer to, for as long as it accepts money. */
export function transferView(context: ViewContext, payment: Payment): RenderedView {
  const { language } = context;
  const { t } = language;
  const account = payment.nextAction as TransferAction;
  const amount = (): HTMLElement => sum(account.amount, payment.currency, language);
  const heading = h('h2', { tabindex: -1 }, ...phrase(language, 'transfer.title', { amount: amount() }));
  const time = h('p', { class: 'time' });
  const notice = h('div', { class: 'notice', role: 'alert' });
  const progress = h('p', { class: 'progress pulse', role: 'status' }, t('transfer.waiting'));
  const sent = sentButton(context, payment, progress, { label: 'transfer.sent', thanks: 'transfer.thanks' });
  const row = (label: MessageKey, value: string | Node, copy?: HTMLElement): HTMLElement =>
    h(
      'div',
      { class: 'row' },
      h('dt', {}, t(label)),
      h('dd', {}, h('span', { class: 'value' }, value), copy),
    );
  const element = h(
    'div',
    { class: 'view' },
    heading,
    h('p', { class: 'help' }, t('transfer.instruction')),
    h(
      'dl',
      { class: 'account' },
      row('transfer.bank', account.bankName),
      row(
        'transfer.accountNumber',
        account.accountNumber,
        copyButton(context, account.accountNumber, 'copy.accountNumber'),
      ),
      // The gateway may leave out the name of the account's owner.
      account.accountName !== null && row('transfer.accountName', account.accountName),
      row('transfer.amount', amount(), copyButton(context, account.amount, 'copy.amount')),
    ),
    time,
    progress,
    notice,
    h('div', { class: 'actions' }, sent, new CancelButton(context, payment, notice).element),
  );
  describe(heading, [...element.querySelectorAll<HTMLElement>(':scope > .help')]);
  return { element, focus: heading, dispose: countDown(context, time, account.expiresAt) };
}

/** Shows the remaining time every second. Assistive technology reads it on request, and announces when it is over. */
function countDown(context: ViewContext, element: HTMLElement, expiresAt: string | undefined): () => void {
  const { t, locale } = context.language;
  const end = Date.parse(expiresAt ?? '');
  if (Number.isNaN(end) || context.now() === undefined) {
    element.hidden = true;
    return () => undefined;
  }
  const twoDigits = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2, useGrouping: false });
  const show = (): void => {
    const seconds = Math.max(0, Math.ceil((end - (context.now() ?? end)) / 1000));
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const shown = (seconds >= 3600 ? parts : parts.slice(1)).map((part) => twoDigits.format(part)).join(':');
    element.textContent = seconds > 0 ? t('transfer.timeLeft', { time: shown }) : t('transfer.timeUp');
    if (seconds > 0) return;
    clearInterval(timer);
    context.announce(t('transfer.timeUp'));
  };
  const timer = setInterval(show, 1_000);
  show();
  return () => clearInterval(timer);
}
