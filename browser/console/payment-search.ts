import { h } from '../element/dom.js';
import { labelled } from './confirm-dialog.js';

/** The field that finds payments by whatever is known of them. `searched` gets the words. */
export class PaymentSearch {
  readonly element: HTMLElement;
  readonly #words = h('input', {
    type: 'search',
    name: 'query',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 200,
    required: true,
  });

  constructor(searched: (words: string) => void) {
    const submit = (event: Event): void => {
      event.preventDefault();
      const words = this.#words.value.trim();
      if (words !== '') searched(words);
    };
    this.element = h(
      'form',
      { role: 'search', class: 'find', onsubmit: submit },
      labelled(
        'Find a payment',
        this.#words,
        'Part of the reference, the payer’s e-mail or phone, gateway reference, last four digits or amount.',
      ),
      h('button', { type: 'submit', class: 'primary' }, 'Search'),
    );
  }

  /** Shows what was searched for. */
  show(words: string): void {
    this.#words.value = words;
  }
}
