/** The ready-made page. It takes the session's token from the address's fragment, which no server sees. */

import type { TillfrontCheckout } from '../element/checkout-element.js';
import type { PageWords } from '../element/stage.js';
import { rightAddress } from '../element/own-address.js';

const KEPT_TOKEN = 'tillfront:checkout-token';

/**
 * The token in a link back from the bank. It shows one payment. If the tab has a token of its own, that one takes
 * precedence.
 */
const RETURN_TOKEN = /^crt_/;

/** Between what the page is and the name of the shop, in the title. */
const BETWEEN = ' – ';
const [, ...shop] = document.title.split(BETWEEN);

const element = document.querySelector<TillfrontCheckout>('tillfront-checkout');

/** What the fragment says; nothing where nobody can have encoded it so: it is no token, and the page says that the link is not valid. */
function inFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return '';
  }
}

/** The session's token. After a return from a bank the fragment has none, but the tab remembers it. */
function clientToken(inAddress: string): string {
  try {
    if (inAddress !== '') sessionStorage.setItem(KEPT_TOKEN, inAddress);
    return inAddress === '' ? (sessionStorage.getItem(KEPT_TOKEN) ?? '') : inAddress;
  } catch {
    return inAddress;
  }
}

/** The page's own words follow the element's: language, title and first heading. */
function follow({ locale, direction, name, title }: PageWords): void {
  Object.assign(document.documentElement, { lang: locale, dir: direction });
  document.title = [title, ...shop].join(BETWEEN);
  const heading = document.querySelector('h1');
  if (heading !== null) heading.textContent = name;
}

function show(): void {
  if (element === null) return;
  element.tellPage = follow;
  const elsewhere = rightAddress(
    'checkout',
    new URL(location.href),
    document.documentElement.dataset['baseUrl'] ?? '',
  );
  if (elsewhere !== undefined) {
    // the token is for the service alone, and this address may be anybody's
    if (elsewhere.isSameMachine) location.replace(elsewhere.href);
    else element.pointTo(elsewhere.href);
    return;
  }
  const token = inFragment(location.hash.slice(1));
  const isReturn = RETURN_TOKEN.test(token);
  const payment = new URLSearchParams(location.search).get('payment');
  element.setAttribute('locale', navigator.languages.join(','));
  element.setAttribute('return-link', '');
  element.setAttribute('language-choice', '');
  if (payment !== null) element.setAttribute('payment', payment);
  if (isReturn) element.setAttribute('return-token', token);
  else element.removeAttribute('return-token');
  element.setAttribute('client-token', clientToken(isReturn ? '' : token));
  element.setAttribute('base-url', new URL('.', location.href).href);
}

addEventListener('hashchange', show);
show();
