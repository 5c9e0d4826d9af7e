/** The payer's page, at `/checkout` and inside of a shop's page at `/checkout/frame`. */

import { followRedirect } from '../kit/follow-redirect.js';
import { appear, type Accent } from './appear.js';
import type { Brand } from './app.js';
import { serveFrame } from './frame.js';
import { openCheckout, type OpenCheckout, type Opening } from './open-checkout.js';

const KEPT_TOKEN = 'tillfront:checkout-token';

const root = document.querySelector('main') as HTMLElement;
const { baseUrl = '', allowedOrigins, brand = '{}' } = document.documentElement.dataset;
const merchant = JSON.parse(brand) as Brand & { accent: Accent | null };
let checkout: OpenCheckout | undefined;

function open(opening: Omit<Opening, 'baseUrl' | 'brand'>): OpenCheckout {
  checkout?.close();
  return (checkout = openCheckout(root, { ...opening, baseUrl, brand: merchant }));
}

/** The token in the address's fragment, which no server sees. After a return from a bank the tab remembers it. */
function clientToken(inAddress: string): string {
  try {
    if (inAddress !== '') sessionStorage.setItem(KEPT_TOKEN, inAddress);
    return inAddress === '' ? (sessionStorage.getItem(KEPT_TOKEN) ?? '') : inAddress;
  } catch {
    return inAddress;
  }
}

function openPage(): void {
  const token = location.hash.slice(1);
  const isReturn = token.startsWith('crt_');
  open({
    clientToken: clientToken(isReturn ? '' : token),
    returnToken: isReturn ? token : undefined,
    payment: new URLSearchParams(location.search).get('payment'),
    leave: followRedirect,
    result: () => undefined,
  });
}

addEventListener('pagehide', () => checkout?.pause());
addEventListener('pageshow', ({ persisted }) => persisted && checkout?.restart());
// Another tab may have paid.
document.addEventListener('visibilitychange', () => document.hidden || checkout?.refresh());

appear(merchant.accent);
if (allowedOrigins === undefined) {
  addEventListener('hashchange', openPage);
  openPage();
} else {
  serveFrame(new Set(allowedOrigins.split(' ')), open);
}
