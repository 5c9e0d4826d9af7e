import { isLoopback } from './loopback.js';
import type { RedirectAction } from './types.js';

/** Sends the payer to the address of a `redirect` action, by GET or by posting a form. The page is left. */
export function followRedirect(action: RedirectAction): void {
  const url = new URL(action.url);
  // the service returns nothing else, and a `javascript:` address here would be an attack
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new TypeError('not a secure web address');
  }
  if (action.method === 'GET') {
    location.assign(url);
    return;
  }
  const form = document.createElement('form');
  form.method = 'post';
  form.action = url.href;
  form.hidden = true;
  for (const [name, value] of Object.entries(action.fields ?? {})) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
