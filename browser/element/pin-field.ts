import { Field } from './field.js';
import { digitsOf, keepFormatted } from './formatted-input.js';
import type { Translate } from './messages.js';

const MOST_DIGITS = 6;

/**
 * The field for a card's PIN, wherever it is asked for. Not a password field, because browsers offer to save passwords. The
 * style hides what is typed.
 */
export function pinField(t: Translate): Field {
  const field = new Field({
    label: t('card.pin'),
    attributes: { autocomplete: 'off', inputmode: 'numeric', class: 'control masked', dir: 'ltr' },
    check: (value) => (/^\d{4,6}$/.test(digitsOf(value)) ? undefined : t('error.pin')),
    missing: t('error.required', { field: t('card.pin') }),
    refused: t('error.pin'),
  });
  keepFormatted(field.control as HTMLInputElement, (text) => digitsOf(text).slice(0, MOST_DIGITS));
  return field;
}
