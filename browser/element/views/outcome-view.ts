import type { Payment } from '../../kit/types.js';
import { h, type Child } from '../dom.js';
import { outcomeIcon, type OutcomeIcon } from '../icons.js';
import type { UnavailableReason } from '../flow.js';
import type { MessageKey } from '../messages.js';
import { formatAmount } from '../money.js';
import { brandName } from '../card-brands.js';
import { failureText } from './failure-text.js';
import { returnLink } from './return-link.js';
import type { RenderedView, ViewContext } from './view-context.js';

/** The result of the payment. */
export function outcomeView(context: ViewContext, payment: Payment): RenderedView {
  const { t, locale } = context.language;
  const amount = formatAmount(payment.amount, payment.currency, locale);
  switch (payment.status) {
    case 'succeeded':
    case 'authorized':
      return panel(context, 'good', 'success.title', [
        h('p', {}, t('success.text', { amount })),
        payment.card !== null &&
          h(
            'p',
            { class: 'help' },
            t('success.card', { brand: brandName(payment.card.brand), last4: payment.card.last4 }),
          ),
        returnLink(context, payment, 'primary'),
      ]);
    case 'canceled':
      return panel(context, 'neutral', 'canceled.title', [
        h('p', {}, t('canceled.text')),
        ...again(context, payment),
      ]);
    default:
      return panel(context, 'bad', 'failed.title', [
        ...failureText(context, payment).map((text) => h('p', {}, text)),
        ...again(context, payment),
      ]);
  }
}

/** The outcome is not known, and the payer must not pay again. */
export function confirmingView(context: ViewContext): RenderedView {
  return panel(context, 'waiting', 'confirming.title', [h('p', {}, context.language.t('confirming.text'))]);
}

/** No further payment is possible here. */
export function endedView(context: ViewContext, reason: 'expired' | 'closed' | 'paid'): RenderedView {
  const { t } = context.language;
  if (reason === 'paid') {
    return panel(context, 'good', 'success.title', [
      h('p', {}, t('paidAlready')),
      returnLink(context, undefined, 'primary'),
    ]);
  }
  return panel(context, 'neutral', 'ended.title', [
    h('p', {}, t(`ended.${reason}`)),
    returnLink(context, undefined, 'primary'),
  ]);
}

/** The session could not be read. `detail` is for whoever builds the shop. */
export function unavailableView(
  context: ViewContext,
  reason: UnavailableReason,
  detail: string | undefined,
): RenderedView {
  const { t } = context.language;
  return panel(context, 'neutral', 'unavailable.title', [
    h('p', {}, t(`unavailable.${reason}`)),
    detail !== undefined && h('p', { class: 'detail' }, detail),
    reason === 'connection' && button(context, 'tryAgain', context.restart),
  ]);
}

/** An icon, a heading that takes the focus, and what else there is to say. */
export function panel(
  context: ViewContext,
  icon: OutcomeIcon | 'waiting',
  title: MessageKey,
  children: readonly Child[],
): RenderedView {
  const heading = h('h2', { tabindex: -1 }, context.language.t(title));
  const mark = icon === 'waiting' ? h('span', { class: 'ring', 'aria-hidden': 'true' }) : outcomeIcon(icon);
  return { element: h('div', { class: `view outcome ${icon}` }, mark, heading, ...children), focus: heading };
}

function again(context: ViewContext, payment: Payment): Child[] {
  const isOpen = context.canPay && (context.session === undefined || context.session.status === 'open');
  return [
    isOpen && button(context, 'tryAnother', () => context.flow.chooseAgain()),
    returnLink(context, payment, 'quiet'),
  ];
}

function button(context: ViewContext, label: MessageKey, go: () => Promise<void>): HTMLElement {
  const press = (): void => void go();
  return h(
    'button',
    { type: 'button', class: 'primary', onclick: press },
    h('span', {}, context.language.t(label)),
  );
}
