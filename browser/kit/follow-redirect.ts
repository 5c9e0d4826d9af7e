import { isLoopback } from './loopback.js';
import type { RedirectAction } from './types.js';

/**
 * Sends the payer to the address of a `redirect` action, by GET or by posting a form. The page is left; with `_top` so are the
 * pages around it. Throws where the browser refuses it at once.
 */
export function followRedirect(action: RedirectAction, target: '_self' | '_top' | '_blank' = '_self'): void {
  const url = redirectAddress(action);
  if (action.method === 'POST') {
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: url, target, hidden: true });
    for (const [name, value] of Object.entries(action.fields ?? {})) {
      const input = document.createElement('input');
      Object.assign(input, { type: 'hidden', name, value });
      form.append(input);
    }
    document.body.append(form);
    // A field may be called "submit".
    HTMLFormElement.prototype.submit.call(form);
    form.remove();
  } else if (target === '_top' && window.top !== null) {
    window.top.location.href = url;
  } else {
    location.assign(url);
  }
}

/** The service returns nothing else, and a `javascript:` address here would be an attack. */
export function redirectAddress(action: RedirectAction): string {
  const url = new URL(action.url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new TypeError('not a secure web address');
  }
  return url.href;
}
