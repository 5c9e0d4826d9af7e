import { h } from '../element/dom.js';
import { money } from './amounts.js';
import type { MerchantSession } from './api.js';
import { labelled } from './confirm-dialog.js';
import type { LinkWish, MerchantApi } from './merchant-api.js';
import { heading, type Page } from './page.js';
import { qrCode } from './qr-code.js';
import { clearError, showError } from './refused.js';
import { hrefOf, type Route } from './route.js';
import { dateTime } from './words.js';

const HOUR = 3_600;
const HOW_LONG = [
  [HOUR, '1 hour'],
  [24 * HOUR, '1 day'],
  [3 * 24 * HOUR, '3 days'],
  [7 * 24 * HOUR, '7 days'],
  [30 * 24 * HOUR, '30 days'],
] as const;
const USUAL = 7 * 24 * HOUR;

/** Makes a payment link: a checkout session whose address is sent to a payer, or shown as a QR code. */
export class LinksPage implements Page {
  readonly element: HTMLElement;
  readonly heading = heading('Payment link');
  readonly #api: MerchantApi;
  readonly #reference = h('input', {
    type: 'text',
    name: 'reference',
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 40,
  });
  readonly #amount = h('input', {
    type: 'text',
    name: 'amount',
    inputmode: 'decimal',
    required: true,
    autocomplete: 'off',
    maxlength: 20,
  });
  readonly #currency = h('input', {
    type: 'text',
    name: 'currency',
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 3,
    class: 'code',
  });
  readonly #email = h('input', { type: 'email', name: 'email', autocomplete: 'off' });
  readonly #howLong = h(
    'select',
    {},
    ...HOW_LONG.map(([seconds, label]) =>
      h('option', { value: seconds, selected: seconds === USUAL }, label),
    ),
  );
  readonly #error = h('div', { class: 'error', role: 'alert' });
  readonly #made = h('div', {});
  #isUnderWay = false;

  constructor(api: MerchantApi) {
    this.#api = api;
    this.element = h(
      'section',
      { class: 'stack narrow', 'aria-label': 'Payment link' },
      this.heading,
      h('p', { class: 'muted' }, 'Anyone with the address can pay once, until it expires.'),
      h(
        'form',
        {
          class: 'card stack',
          onsubmit: (event) => {
            event.preventDefault();
            void this.#create();
          },
        },
        labelled('Reference', this.#reference, 'Your own: up to 40 letters, digits, dots and dashes.'),
        h(
          'div',
          { class: 'filters' },
          labelled('Amount', this.#amount),
          labelled('Currency', this.#currency),
        ),
        labelled('E-mail of the payer', this.#email, 'Optional.'),
        labelled('Valid for', this.#howLong),
        this.#error,
        h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary' }, 'Create the link')),
      ),
      this.#made,
    );
  }

  accept({ path }: Route): boolean {
    return path[0] === 'links';
  }

  /** The currency of the last payment is most likely that of the next. */
  async open(): Promise<void> {
    const { data } = await this.#api.payments({ limit: '1' }).catch(() => ({ data: [] }));
    if (this.#currency.value === '') this.#currency.value = data[0]?.currency ?? '';
  }

  close(): void {
    this.#made.replaceChildren();
  }

  async #create(): Promise<void> {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    clearError(this.#error);
    const email = this.#email.value.trim();
    const wish: LinkWish = {
      reference: this.#reference.value.trim(),
      amount: this.#amount.value.trim(),
      currency: this.#currency.value.trim().toUpperCase(),
      expiresInSeconds: Number(this.#howLong.value),
      ...(email === '' ? {} : { payer: { email } }),
    };
    try {
      const session = await this.#api.createLink(wish);
      this.#show(session, session.checkoutUrl ?? '');
    } catch (error) {
      showError(this.#error, error);
    } finally {
      this.#isUnderWay = false;
    }
  }

  #show({ reference, amount, currency, expiresAt }: MerchantSession, checkoutUrl: string): void {
    const address = h('input', { type: 'text', readonly: true, value: checkoutUrl });
    const told = h('p', { class: 'muted', role: 'status' });
    const copy = async (): Promise<void> => {
      try {
        await navigator.clipboard.writeText(checkoutUrl);
        told.textContent = 'Copied.';
      } catch {
        address.select();
        told.textContent = 'Press Ctrl+C to copy the address.';
      }
    };
    const title = h('h3', { tabindex: -1 }, `${money(amount, currency)} for ${reference}`);
    this.#made.replaceChildren(
      h(
        'section',
        { class: 'card stack' },
        title,
        h('p', {}, 'Valid until ', h('time', { datetime: expiresAt }, dateTime(expiresAt)), '.'),
        labelled('Address', address),
        h(
          'div',
          { class: 'buttons' },
          h('button', { type: 'button', class: 'primary', onclick: () => void copy() }, 'Copy the address'),
          h('a', { class: 'button', href: hrefOf('payments', { reference }) }, 'Its payments'),
        ),
        told,
        qrCode(checkoutUrl),
      ),
    );
    title.focus();
  }
}
