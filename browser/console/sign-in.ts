import { h } from '../element/dom.js';
import { labelled } from './confirm-dialog.js';
import { MerchantApi, Refused } from './merchant-api.js';

/** Asks for a merchant key and tries it. The key stays in this page's memory and disappears with it. */
export function signIn(baseUrl: string, entered: (api: MerchantApi) => void): HTMLElement {
  const key = h('input', { type: 'password', autocomplete: 'off', required: true, spellcheck: 'false' });
  const error = h('p', { class: 'error', role: 'alert' });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    error.textContent = '';
    const api = new MerchantApi(baseUrl, key.value.trim());
    try {
      await api.payments({});
      key.value = '';
      entered(api);
    } catch (problem) {
      const isKey =
        problem instanceof Refused && (problem.code === 'unauthorized' || problem.code === 'forbidden');
      error.textContent = isKey
        ? 'This key is not accepted.'
        : problem instanceof Refused
          ? problem.message
          : 'That did not work.';
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
      'With a merchant key, or one that only reads. It is kept in this page and nowhere else.',
    ),
    labelled('Merchant key', key),
    error,
    h('button', { type: 'submit', class: 'primary' }, 'Sign in'),
  );
}
