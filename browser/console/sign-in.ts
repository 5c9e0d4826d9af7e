import { h } from '../element/dom.js';
import { labelled } from './confirm-dialog.js';
import { MerchantApi } from './merchant-api.js';
import { Refused, showError } from './refused.js';

/** A key with its name before it, as the service's configuration has it: `ops-anna=key`. A key may end in `=`. */
const NAMED = /^[a-z0-9-]{1,32}=(?=[^=])/;

/** The key in what was pasted. Pure. */
export function keyIn(pasted: string): string {
  return pasted.trim().replace(NAMED, '');
}

/** Asks for a merchant key and tries it. The key stays in this page's memory and disappears with it. */
export function signIn(baseUrl: string, entered: (api: MerchantApi) => void): HTMLElement {
  const key = h('input', { type: 'password', autocomplete: 'off', required: true, spellcheck: 'false' });
  const error = h('div', { class: 'error', role: 'alert' });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    error.textContent = '';
    try {
      const api = await MerchantApi.signIn(baseUrl, keyIn(key.value));
      key.value = '';
      entered(api);
    } catch (problem) {
      const isKey =
        problem instanceof Refused && (problem.code === 'unauthorized' || problem.code === 'forbidden');
      if (isKey) error.textContent = 'This key is not accepted.';
      else showError(error, problem);
      key.focus();
    }
  };
  return h(
    'form',
    { class: 'sign-in', onsubmit: (event) => void submit(event) },
    h('h2', {}, 'Sign in'),
    h(
      'p',
      { class: 'muted' },
      'Use a merchant key, or one that only reads. It is kept in this page and nowhere else.',
    ),
    labelled('Merchant key', key),
    error,
    h('button', { type: 'submit', class: 'primary' }, 'Sign in'),
  );
}
