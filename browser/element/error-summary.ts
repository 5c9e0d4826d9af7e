import { h } from './dom.js';
import type { Field } from './field.js';
import type { Translate } from './messages.js';

/** Which fields have to be looked at. Each name leads to its field, where it says what is wrong. */
export function errorSummary(t: Translate, wrong: readonly Field[]): Node[] {
  const items = wrong.map((field) =>
    h(
      'li',
      {},
      h('button', { type: 'button', class: 'to-field', onclick: () => field.control.focus() }, field.label),
    ),
  );
  return [h('p', {}, t('checkFields')), h('ul', { class: 'wrong' }, ...items)];
}
