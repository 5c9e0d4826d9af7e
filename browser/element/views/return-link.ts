import type { Payment } from '../../kit/types.js';
import { h, type Child } from '../dom.js';
import type { ViewContext } from './view-context.js';

/** The way back to the shop, if it is offered and the session has one. */
export function returnLink(context: ViewContext, payment: Payment | undefined, className = 'plain'): Child {
  const { returnLink: offered, session, shop, language } = context;
  if (!offered || !session?.returnUrl) return false;
  const url = new URL(session.returnUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  if (payment !== undefined) {
    url.searchParams.set('payment', payment.id);
    url.searchParams.set('status', payment.status);
  }
  const { t } = language;
  const label = shop === undefined ? t('backToShop') : t('backToName', { name: shop });
  // inside a frame the whole page goes back
  return h('a', { class: className, href: url.href, target: '_top' }, label);
}
