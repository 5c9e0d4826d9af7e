import type { Tillfront } from '../../kit/types.js';
import { h } from '../dom.js';
import { Field } from '../field.js';
import type { Translate } from '../messages.js';

/** The choice of bank for USSD. The banks are loaded when the payer first chooses the method. */
export class BankField {
  readonly element: HTMLElement;
  readonly field: Field;
  readonly #t: Translate;
  readonly #kit: Tillfront;
  readonly #failed: HTMLElement;
  #loading: Promise<void> | undefined;

  constructor(t: Translate, kit: Tillfront) {
    this.#t = t;
    this.#kit = kit;
    this.field = new Field({
      label: t('ussd.bank'),
      choices: [{ value: '', label: t('choose') }],
      missing: t('error.bank'),
      refused: t('error.bank'),
    });
    const again = h(
      'button',
      { type: 'button', class: 'quiet', onclick: () => void this.load() },
      t('tryAgain'),
    );
    this.#failed = h(
      'div',
      { class: 'failed', role: 'alert', hidden: true },
      h('p', {}, t('ussd.banksFailed')),
      again,
    );
    this.element = h('div', { class: 'fields' }, this.field.element, this.#failed);
  }

  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    this.#failed.hidden = true;
    try {
      const banks = await this.#kit.ussdBanks();
      const options = banks.map(({ code, name }) => h('option', { value: code }, name));
      this.field.control.replaceChildren(h('option', { value: '' }, this.#t('choose')), ...options);
    } catch {
      this.#failed.hidden = false;
      this.#loading = undefined;
    }
  }
}
