import { h } from '../element/dom.js';
import { labelled } from './confirm-dialog.js';
import type { Query } from './route.js';
import { METHODS, methodWord, STATUSES, statusWord } from './words.js';

/** The filters of the list of payments, as the service names them. */
const NAMES = [
  'reference',
  'status',
  'method',
  'from',
  'to',
  'currency',
  'needsAttention',
  'duplicate',
  'disputed',
] as const;
export type FilterName = (typeof NAMES)[number];
/** What a list of payments is narrowed by: filters, or the number of a search, which has none. */
export type Filter = Partial<Record<FilterName | 'search', string>>;

/** The filters among what stands in an address. Pure. */
export function filterOf(query: Query): Filter {
  if (query['search']) return { search: query['search'] };
  const given = NAMES.map((name) => [name, query[name]] as const).filter(([, value]) => Boolean(value));
  return Object.fromEntries(given);
}

/** The form that filters payments. `changed` gets the filters when the person wants them. */
export class PaymentFilters {
  readonly element: HTMLElement;
  readonly #fields: Record<FilterName, HTMLInputElement | HTMLSelectElement>;
  readonly #more: HTMLDetailsElement;
  readonly #changed: (filter: Filter) => void;

  constructor(changed: (filter: Filter) => void) {
    this.#changed = changed;
    const text = (maxlength: number): HTMLInputElement =>
      h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', maxlength });
    const select = (options: readonly (readonly [string, string])[]): HTMLSelectElement =>
      h(
        'select',
        { onchange: () => this.#submit() },
        h('option', { value: '' }, 'Any'),
        ...options.map(([value, label]) => h('option', { value }, label)),
      );
    const fields = (this.#fields = {
      reference: text(40),
      status: select(STATUSES.map((status) => [status, statusWord(status)])),
      method: select(METHODS.map((method) => [method, methodWord(method)])),
      from: h('input', { type: 'date' }),
      to: h('input', { type: 'date' }),
      currency: text(3),
      needsAttention: select([
        ['true', 'Needs attention'],
        ['false', 'Needs no attention'],
      ]),
      duplicate: select([
        ['true', 'Duplicates'],
        ['false', 'No duplicates'],
      ]),
      disputed: select([
        ['true', 'Disputed'],
        ['false', 'Not disputed'],
      ]),
    });
    for (const name of NAMES) fields[name].name = name;
    this.#more = h(
      'details',
      {},
      h('summary', {}, 'More filters'),
      h(
        'div',
        { class: 'filters' },
        labelled('Reference', fields.reference),
        labelled('Method', fields.method),
        labelled('From', fields.from),
        labelled('To', fields.to),
        labelled('Currency', fields.currency),
        labelled('Attention', fields.needsAttention),
        labelled('Duplicate', fields.duplicate),
        labelled('Dispute', fields.disputed),
        h('button', { type: 'submit' }, 'Apply'),
      ),
    );
    this.element = h(
      'form',
      {
        class: 'search',
        'aria-label': 'Filters',
        onsubmit: (event) => {
          event.preventDefault();
          this.#submit();
        },
      },
      h(
        'div',
        { class: 'filters' },
        labelled('Status', fields.status),
        h('button', { type: 'button', onclick: () => this.#changed({}) }, 'Clear'),
      ),
      this.#more,
    );
  }

  /** Shows the filters of the address. */
  show(filter: Filter): void {
    for (const name of NAMES) {
      const value = filter[name] ?? '';
      // A date field shows nothing of a time.
      this.#fields[name].value = this.#fields[name].type === 'date' ? value.slice(0, 10) : value;
    }
    if (NAMES.some((name) => name !== 'status' && filter[name] !== undefined)) this.#more.open = true;
  }

  #submit(): void {
    const given = Object.fromEntries(NAMES.map((name) => [name, this.#fields[name].value.trim()]));
    this.#changed(filterOf({ ...given, currency: this.#fields.currency.value.trim().toUpperCase() }));
  }
}
