/** The ready-made page: takes the session's token from the address's fragment, which no server sees. */

const KEPT_TOKEN = 'tillfront:checkout-token';

const element = document.querySelector('tillfront-checkout');

/** Coming back from a bank the fragment may be gone: the tab remembers it. */
function clientToken(): string {
  const inAddress = decodeURIComponent(location.hash.slice(1));
  try {
    if (inAddress !== '') sessionStorage.setItem(KEPT_TOKEN, inAddress);
    return inAddress === '' ? (sessionStorage.getItem(KEPT_TOKEN) ?? '') : inAddress;
  } catch {
    return inAddress;
  }
}

function show(): void {
  if (element === null) return;
  const payment = new URLSearchParams(location.search).get('payment');
  element.setAttribute('locale', navigator.languages.join(','));
  element.setAttribute('return-link', '');
  if (payment !== null) element.setAttribute('payment', payment);
  element.setAttribute('client-token', clientToken());
  element.setAttribute('base-url', new URL('.', location.href).href);
}

addEventListener('hashchange', show);
show();
