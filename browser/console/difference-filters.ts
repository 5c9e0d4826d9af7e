import { h } from '../element/dom.js';
import { labelled } from './confirm-dialog.js';
import { ALL_KINDS, kindWords } from './difference-words.js';
import { daysBefore } from './paid-curve.js';
import type { Query } from './route.js';
import { dayIn } from './words.js';

const NAMES = ['state', 'kind', 'currency', 'age', 'reference'] as const;
/** What the list of differences is narrowed by, as it stands in the address. Without a state: the open ones. */
export type DifferenceFilter = Partial<Record<(typeof NAMES)[number], string>>;

const STATES = [
  ['', 'Open'],
  ['closed', 'Closed'],
  ['all', 'Open and closed'],
] as const;

/** Found so many days ago, or before. */
const AGES = ['1', '7', '30', '90'];

/** The filters among what stands in an address. Pure. */
export function differenceFilterOf(query: Query): DifferenceFilter {
  const given = NAMES.map((name) => [name, query[name]] as const).filter(([, value]) => Boolean(value));
  return Object.fromEntries(given);
}

/** What the service is asked for. Days are those of the books. Pure. */
export function questionOf({ state, age, ...rest }: DifferenceFilter, timeZone: string, now: Date): Query {
  const days = AGES.includes(age ?? '') ? Number(age) : undefined;
  return {
    ...rest,
    state: state === 'all' ? undefined : (state ?? 'open'),
    to: days === undefined ? undefined : daysBefore(dayIn(timeZone, now.toISOString()), days),
  };
}

/** The form that filters differences. `changed` gets the filters when the person wants them. */
export class DifferenceFilters {
  readonly element: HTMLElement;
  readonly #fields: Record<(typeof NAMES)[number], HTMLInputElement | HTMLSelectElement>;
  readonly #changed: (filter: DifferenceFilter) => void;

  constructor(changed: (filter: DifferenceFilter) => void) {
    this.#changed = changed;
    const text = (name: string, maxlength: number): HTMLInputElement =>
      h('input', { type: 'text', name, autocomplete: 'off', spellcheck: 'false', maxlength });
    const select = (name: string, options: readonly (readonly [string, string])[]): HTMLSelectElement =>
      h(
        'select',
        { name, onchange: () => this.#submit() },
        ...options.map(([value, label]) => h('option', { value }, label)),
      );
    const fields = (this.#fields = {
      state: select('state', STATES),
      kind: select('kind', [['', 'Any'], ...ALL_KINDS.map((kind) => [kind, kindWords(kind)] as const)]),
      currency: text('currency', 3),
      age: select('age', [
        ['', 'Any'],
        ...AGES.map((days) => [days, `${days} ${days === '1' ? 'day' : 'days'} or more`] as const),
      ]),
      reference: text('reference', 200),
    });
    this.element = h(
      'form',
      {
        class: 'filters',
        'aria-label': 'Filters',
        onsubmit: (event) => {
          event.preventDefault();
          this.#submit();
        },
      },
      labelled('State', fields.state),
      labelled('Kind', fields.kind),
      labelled('Age', fields.age),
      labelled('Currency', fields.currency),
      labelled('Reference', fields.reference),
      h('button', { type: 'submit' }, 'Apply'),
      h('button', { type: 'button', onclick: () => this.#changed({}) }, 'Clear'),
    );
  }

  /** Shows the filters of the address. */
  show(filter: DifferenceFilter): void {
    for (const name of NAMES) this.#fields[name].value = filter[name] ?? '';
  }

  #submit(): void {
    const given = Object.fromEntries(NAMES.map((name) => [name, this.#fields[name].value.trim()]));
    this.#changed(differenceFilterOf({ ...given, currency: given['currency']?.toUpperCase() }));
  }
}
