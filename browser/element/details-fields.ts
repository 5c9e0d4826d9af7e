import type { Billing, CheckoutSession, Payer, PaymentMethod } from '../kit/types.js';
import { addressOrder } from './address-order.js';
import { alpha2, countries, likelyCountry } from './countries.js';
import { h } from './dom.js';
import { Field } from './field.js';
import type { Language, MessageKey } from './messages.js';
import { askedFor } from './needs.js';
import type { TypedForm } from './tab-memory.js';

type PayerMember = keyof Payer;
type BillingMember = keyof Billing;

const ALL_OF_THE_PAYER: readonly PayerMember[] = ['email', 'phone', 'firstName', 'lastName'];
/** The country first, because it decides the order of the others. */
const ALL_OF_THE_BILLING: readonly BillingMember[] = [
  'country',
  'street',
  'city',
  'stateProvince',
  'postCode',
];

const AUTOCOMPLETE: Record<PayerMember | BillingMember, string> = {
  email: 'email',
  phone: 'tel',
  firstName: 'given-name',
  lastName: 'family-name',
  street: 'billing address-line1',
  city: 'billing address-level2',
  stateProvince: 'billing address-level1',
  postCode: 'billing postal-code',
  country: 'billing country',
};

/** The payer and billing fields that the session does not contain. */
export class DetailsFields {
  readonly element: HTMLElement;
  readonly #payer: ReadonlyMap<PayerMember, Field>;
  readonly #billing: ReadonlyMap<BillingMember, Field>;
  readonly #payerGroup: HTMLElement;
  readonly #billingGroup: HTMLElement;
  readonly #session: CheckoutSession;
  /** Fields that the service asked for although the session seemed to contain them. */
  readonly #askedFor = new Set<Field>();
  readonly #locale: string;
  #method: PaymentMethod = 'card';

  constructor(language: Language, session: CheckoutSession) {
    const { t } = language;
    this.#locale = language.locale;
    this.#session = session;
    this.#payer = new Map(ALL_OF_THE_PAYER.map((member) => [member, payerField(member, language)]));
    this.#billing = new Map(
      ALL_OF_THE_BILLING.map((member) => [member, billingField(member, language, session.currency)]),
    );
    this.#billingGroup = group(t('billing.title'), [...this.#billing.values()]);
    this.#payerGroup = group(t('payer.title'), [...this.#payer.values()]);
    this.element = h('div', { class: 'details' }, this.#payerGroup, this.#billingGroup);
    this.#billing.get('country')?.control.addEventListener('change', () => this.showFor(this.#method));
    this.#arrange();
  }

  get fields(): readonly Field[] {
    const billing = this.#order.map((member) => this.#billing.get(member));
    return [...this.#payer.values(), ...billing.filter((field) => field !== undefined)];
  }

  at(pointer: string): Field | undefined {
    const [, part, member] = pointer.split('/');
    if (part === 'payer') return this.#payer.get(member as PayerMember);
    return part === 'billing' ? this.#billing.get(member as BillingMember) : undefined;
  }

  /** What was typed into the same fields in another language. */
  takeOver(before: DetailsFields): void {
    const all = before.#named();
    for (const [index, [, field]] of this.#named().entries()) {
      const typed = all[index]?.[1];
      if (typed && before.#askedFor.has(typed)) this.askFor(field);
    }
    this.fillIn(before.typed);
  }

  /** Shows what this method needs and the session lacks. */
  showFor(method: PaymentMethod): void {
    this.#method = method;
    const asked = askedFor(this.#session, method, this.#billing.get('country')?.value ?? '');
    for (const [member, field] of this.#payer) {
      field.isRequired = this.#askedFor.has(field) || asked.payer.has(member);
      field.show(field.isRequired || asked.optional.has(member));
    }
    for (const [member, field] of this.#billing)
      field.show(this.#askedFor.has(field) || asked.billing.has(member));
    this.#showGroups();
  }

  /** Marks a field as needed after all, because the service asked for it. */
  askFor(field: Field): void {
    this.#askedFor.add(field);
    field.isRequired = true;
    field.show(true);
    this.#showGroups();
  }

  /** What is typed now, to be kept for the next try. */
  get typed(): TypedForm {
    return Object.fromEntries(this.#named().map(([name, field]) => [name, field.value]));
  }

  /** Fills in what was typed before. */
  fillIn(typed: TypedForm): void {
    for (const [name, field] of this.#named()) if (typed[name]) field.value = typed[name];
    this.showFor(this.#method);
  }

  #named(): [name: string, field: Field][] {
    const payer = [...this.#payer].map(([member, field]): [string, Field] => [`payer.${member}`, field]);
    const billing = [...this.#billing].map(([member, field]): [string, Field] => [
      `billing.${member}`,
      field,
    ]);
    return [...payer, ...billing];
  }

  read(): { payer?: Payer; billing?: Billing } {
    const payer = valuesOf(this.#payer) as Payer;
    if (payer.phone !== undefined) payer.phone = payer.phone.replace(/[\s().-]/g, '');
    const billing = valuesOf(this.#billing) as Billing;
    return {
      ...(Object.keys(payer).length > 0 ? { payer } : {}),
      ...(Object.keys(billing).length > 0 ? { billing } : {}),
    };
  }

  /** The billing fields, as people of the chosen country write an address. */
  get #order(): readonly BillingMember[] {
    const country = this.#billing.get('country')?.value ?? '';
    return ['country', ...addressOrder(alpha2(country), this.#locale)];
  }

  #arrange(): void {
    const elements = this.#order.flatMap((member) => this.#billing.get(member)?.element ?? []);
    // the list of countries stays where it is, since it has the focus
    this.#billingGroup.append(...elements.slice(1));
    const halves = elements.filter((element) => !element.hidden && element.matches('.may-be-half'));
    for (const [index, element] of halves.entries()) {
      element.classList.toggle('half', halves.length % 2 === 0 || index < halves.length - 1);
    }
  }

  #showGroups(): void {
    this.#arrange();
    this.#payerGroup.hidden = ![...this.#payer.values()].some((field) => field.isShown);
    this.#billingGroup.hidden = ![...this.#billing.values()].some((field) => field.isShown);
  }
}

function group(title: string, fields: readonly Field[]): HTMLElement {
  return h(
    'fieldset',
    { class: 'fields' },
    h('legend', { class: 'legend' }, title),
    ...fields.map(({ element }) => element),
  );
}

function valuesOf(fields: ReadonlyMap<string, Field>): Record<string, string> {
  const shown = [...fields].filter(([, field]) => field.isShown && field.value !== '');
  return Object.fromEntries(shown.map(([member, field]) => [member, field.value]));
}

function payerField(member: PayerMember, { t }: Language): Field {
  const wrong: Partial<Record<PayerMember, { pattern: RegExp; text: MessageKey }>> = {
    email: { pattern: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, text: 'error.email' },
    // the service reads a number without a country code by the country
    phone: { pattern: /^\+?[0-9(][0-9\s().-]{5,20}$/, text: 'error.phone' },
  };
  const rule = wrong[member];
  return new Field({
    label: t(`payer.${member}`),
    ...(member === 'phone' ? { hint: t('payer.phoneHelp') } : {}),
    attributes: {
      autocomplete: AUTOCOMPLETE[member],
      maxlength: 200,
      ...(member === 'email' ? { inputmode: 'email', type: 'email' } : {}),
      ...(member === 'phone' ? { inputmode: 'tel', type: 'tel', dir: 'ltr' } : {}),
    },
    missing: t('error.required', { field: t(`payer.${member}`) }),
    check: (value) => (rule === undefined || rule.pattern.test(value) ? undefined : t(rule.text)),
    refused: t(rule?.text ?? 'error.field', { field: t(`payer.${member}`) }),
    ...(member === 'firstName' || member === 'lastName' ? { className: 'half' } : {}),
  });
}

function billingField(member: BillingMember, language: Language, currency: string): Field {
  const { t, locale } = language;
  const isCountry = member === 'country';
  const label = t(`billing.${member}`);
  const field = new Field({
    label,
    attributes: { autocomplete: AUTOCOMPLETE[member], ...(isCountry ? {} : { maxlength: 200 }) },
    ...(isCountry
      ? {
          choices: [
            { value: '', label: t('choose') },
            ...countries(locale).map(({ code, name }) => ({ value: code, label: name })),
          ],
        }
      : {}),
    missing: t(isCountry ? 'error.country' : 'error.required', { field: label }),
    refused: t('error.field', { field: label }),
    ...(member === 'street' || isCountry ? {} : { className: 'may-be-half' }),
  });
  if (isCountry) field.value = likelyCountry(locale, currency) ?? '';
  return field;
}
