import { brandName } from '../card-brands.js';
import { describe, h, type Child } from '../dom.js';
import type { EndReason, UnavailableReason } from '../view.js';
import { outcomeIcon } from '../icons.js';
import type { CheckoutSession, Payment } from '../../kit/types.js';
import type { MessageKey } from '../messages.js';
import { chargeOf, hasOtherAmount, outcomeOf, type Outcome } from '../outcome.js';
import { paragraph } from '../sum.js';
import { returnLink } from './return-link.js';
import type { RenderedView, ViewContext } from './view-context.js';

const NOBODY_SENT = { hasSent: false, hasLeft: false };

/** The result of the payment. */
export function outcomeView(context: ViewContext, payment: Payment): RenderedView {
  const { canPay, flow, session, language } = context;
  const part = canPay ? flow.partOf(payment.id) : NOBODY_SENT;
  const isLast = session?.status === 'closed';
  const { icon, title, sentences } = outcomeOf(payment, part, isLast);
  const { card } = payment;
  const isPaid = icon === 'good' && title === 'success.title';
  return panel(context, icon, title, [
    ...sentences.map((sentence) => paragraph(language, sentence, payment.currency)),
    isPaid &&
      card !== null &&
      h(
        'p',
        { class: 'help' },
        language.t('success.card', { brand: brandName(card.brand), last4: card.last4 }),
      ),
    ...waysOn(context, payment, icon, part.hasSent),
  ]);
}

/** Another sum than the one owed has come, and the payment still waits. */
export function partialView(context: ViewContext, payment: Payment, outcome: Outcome): RenderedView {
  const { icon, title, sentences } = outcome;
  return panel(
    context,
    icon,
    title,
    sentences.map((sentence) => paragraph(context.language, sentence, payment.currency)),
  );
}

/** The outcome is not known, and the payer must not pay again. */
export function confirmingView(context: ViewContext, elsewhere = false): RenderedView {
  const { t } = context.language;
  return panel(context, 'waiting', 'confirming.title', [
    h('p', {}, t('confirming.text')),
    elsewhere && h('p', {}, t('confirming.elsewhere')),
  ]);
}

/** No further payment is possible here. */
export function endedView(context: ViewContext, session: CheckoutSession, reason: EndReason): RenderedView {
  const { language, flow } = context;
  const { t } = language;
  if (reason === 'paid') {
    return panel(context, 'good', 'success.title', [
      h('p', {}, t('paidAlready')),
      returnLink(context, undefined, 'primary'),
    ]);
  }
  const charge = chargeOf(session, (id) => flow.partOf(id));
  return panel(context, 'neutral', 'ended.title', [
    h('p', {}, t(`ended.${reason}`)),
    ...charge.map((sentence) => paragraph(language, sentence, session.currency)),
    // who has perhaps paid is not asked to pay again
    !charge.some(({ text }) => text === 'ifSent.any') && h('p', {}, t('ended.way')),
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
    reason === 'connection' && button(context, 'tryAgain', 'primary', context.restart),
  ]);
}

/** An icon, a heading that takes the focus, and what else there is to say. */
export function panel(
  context: ViewContext,
  icon: Outcome['icon'],
  title: MessageKey,
  children: readonly Child[],
): RenderedView {
  const heading = h('h2', { tabindex: -1 }, context.language.t(title));
  // the heading takes the focus, and what it is about is read with it
  describe(heading, children);
  const mark = icon === 'waiting' ? h('span', { class: 'ring', 'aria-hidden': 'true' }) : outcomeIcon(icon);
  return { element: h('div', { class: `view outcome ${icon}` }, mark, heading, ...children), focus: heading };
}

/** What the payer can do next: pay in another way where that is safe, or go back to the shop. */
function waysOn(context: ViewContext, payment: Payment, icon: Outcome['icon'], hasSent: boolean): Child[] {
  const { canPay, session, flow } = context;
  const isPaid = payment.status === 'succeeded' || payment.status === 'authorized';
  const mayPay = canPay && !isPaid && (session === undefined || session.status === 'open');
  // who says that they have paid is not asked to pay again
  const isWaiting = icon === 'waiting';
  const again = (): Promise<void> => {
    context.avoid(payment.method);
    return flow.chooseAgain();
  };
  return [
    mayPay && !isWaiting && button(context, anotherWay(context), 'primary', again),
    mayPay &&
      isWaiting &&
      hasSent &&
      !hasOtherAmount(payment) &&
      button(context, 'late.notSent', 'quiet', again),
    returnLink(context, payment, isPaid ? 'primary' : 'quiet'),
  ];
}

/** A session with one method has no other way, only another try. */
export function anotherWay({ session }: Pick<ViewContext, 'session'>): MessageKey {
  if (session === undefined || session.methods.length > 1) return 'tryAnother';
  return session.methods[0] === 'card' ? 'tryAnotherCard' : 'tryAgain';
}

function button(
  context: ViewContext,
  label: MessageKey,
  className: 'primary' | 'quiet',
  go: () => Promise<void>,
): HTMLElement {
  const press = (): void => void go();
  return h(
    'button',
    { type: 'button', class: className, onclick: press },
    h('span', {}, context.language.t(label)),
  );
}
