import type {
  Billing,
  Card,
  CheckoutSession,
  Payer,
  PayerDetails,
  PaymentMethod,
  UssdBank,
} from '../kit/types.js';
import { brandOf, isCardNumber, OTHER_BRAND, type CardBrand } from './card-brands.js';
import { countries } from './countries.js';
import { digitsOf, grouped, inAscii, isPhone } from './digits.js';
import { expiryText, isPast, parseExpiry } from './expiry.js';
import type { FieldSpec } from './field.js';
import type { Language, MessageKey, Translate } from './messages.js';
import { askedFor, needsPin, takesOfCard } from './needs.js';
import type { Typed } from './tab-memory.js';

/** What decides which fields there are. */
export interface FieldFacts {
  session: CheckoutSession;
  method: PaymentMethod;
  typed: Typed;
  language: Language;
  now: () => number | undefined;
  banks: readonly UssdBank[];
  /** Fields that the service asked for although the session seemed to have them. */
  asked: ReadonlySet<string>;
}

export interface FieldGroups {
  card: FieldSpec[];
  bank: FieldSpec[];
  payer: FieldSpec[];
  billing: FieldSpec[];
}

const LONGEST_NUMBER = 19;

const AUTOCOMPLETE = {
  email: 'email',
  phone: 'tel',
  firstName: 'given-name',
  lastName: 'family-name',
  street: 'billing address-line1',
  city: 'billing address-level2',
  stateProvince: 'billing address-level1',
  postCode: 'billing postal-code',
  country: 'billing country',
} as const;

/** The fields of the chosen method: what the gateway needs and the session does not have. */
export function fieldsOf(facts: FieldFacts): FieldGroups {
  const { session, method, typed, language, asked } = facts;
  const needs = askedFor(session, method, typed['billing.country'] ?? '');
  const payer = (['email', 'phone', 'firstName', 'lastName'] as const).flatMap((member) => {
    const isRequired = needs.payer.has(member) || asked.has(`payer.${member}`);
    const isShown = isRequired || needs.optional.has(member);
    return isShown ? [{ ...payerField(member, language.t), isOptional: !isRequired }] : [];
  });
  // The country first, because it decides which of the others there are.
  const billing = (['country', 'street', 'city', 'stateProvince', 'postCode'] as const)
    .filter((member) => needs.billing.has(member) || asked.has(`billing.${member}`))
    .map((member) => billingField(member, language));
  return {
    card: method === 'card' ? cardFields(facts) : [],
    bank: method === 'ussd' ? [bankField(language.t, facts.banks)] : [],
    payer,
    billing,
  };
}

/** The card as typed, without what is not asked for. Call it only when everything is valid. */
export function cardIn(typed: Typed, fields: readonly FieldSpec[]): Card {
  const has = (name: string): boolean => fields.some((field) => field.name === name);
  const text = (name: string): string => typed[name]?.trim() ?? '';
  const expiry = has('card.expiry') ? parseExpiry(text('card.expiry')) : undefined;
  const pin = digitsOf(text('card.pin'));
  return {
    number: digitsOf(text('card.number')),
    ...(expiry && { expiryMonth: expiry.month, expiryYear: expiry.year }),
    ...(has('card.cvv') && { cvv: digitsOf(text('card.cvv')) }),
    ...(has('card.pin') && pin !== '' && { pin }),
    ...(has('card.nameOnCard') && { nameOnCard: text('card.nameOnCard') }),
  };
}

/** Who pays, as typed into these fields. */
export function detailsIn(typed: Typed, { payer, billing }: FieldGroups): PayerDetails {
  const read = (fields: readonly FieldSpec[]): Record<string, string> => {
    const pairs = fields.map(({ name }) => [name.split('.')[1], typed[name]?.trim() ?? ''] as const);
    return Object.fromEntries(pairs.filter(([, value]) => value !== '')) as Record<string, string>;
  };
  const who: Payer = read(payer);
  // What a phone's own contacts put between the digits is nobody's number.
  if (who.phone !== undefined) who.phone = inAscii(who.phone);
  return { payer: who, billing: read(billing) };
}

/** The field that a pointer of the service belongs to. */
export function fieldAt(pointer: string): string {
  const [, part = '', member = ''] = pointer.split('/');
  if (part === 'card' && member.startsWith('expiry')) return 'card.expiry';
  return member === '' ? part : `${part}.${member}`;
}

const DIGITS = { inputMode: 'numeric', dir: 'ltr' } as const;

/** A field with what is said where it is empty, and where the service refuses it. */
function fieldOf(
  t: Translate,
  name: string,
  label: MessageKey,
  refused: MessageKey = 'error.field',
): FieldSpec {
  const field = t(label);
  return { name, label: field, missing: t('error.required', { field }), refused: t(refused, { field }) };
}

/** A card's PIN, wherever it is asked for. Not a password field, because browsers offer to save passwords. */
export function pinField(t: Translate, hint = ''): FieldSpec {
  return {
    ...fieldOf(t, 'card.pin', 'card.pin', 'error.pin'),
    hint,
    attributes: { ...DIGITS, autocomplete: 'off', placeholder: ' ' },
    look: 'masked',
    format: (text) => digitsOf(text).slice(0, 6),
    check: (value) => (/^\d{4,6}$/.test(digitsOf(value)) ? undefined : t('error.pin')),
  };
}

export function otpField(t: Translate): FieldSpec {
  return {
    ...fieldOf(t, 'otp', 'otp.label', 'otp.wrong'),
    attributes: { ...DIGITS, autocomplete: 'one-time-code' },
    look: 'code',
    format: (text) => digitsOf(text).slice(0, 10),
    missing: t('error.otp'),
    check: (value) => (digitsOf(value).length >= 4 ? undefined : t('error.otp')),
  };
}

function cardFields({ session, typed, language: { t }, now }: FieldFacts): FieldSpec[] {
  const brand = brandOf(digitsOf(typed['card.number'] ?? ''));
  const hasExpiry = takesOfCard(session, 'expiryMonth') || takesOfCard(session, 'expiryYear');
  const name: FieldSpec = {
    ...fieldOf(t, 'card.nameOnCard', 'card.name'),
    attributes: { autocomplete: 'cc-name', autocapitalize: 'words' },
  };
  return [
    numberField(t, brand),
    ...(hasExpiry ? [expiryField(t, now)] : []),
    ...(takesOfCard(session, 'cvv') ? [securityCodeField(t, brand)] : []),
    ...(needsPin(session, brand) ? [pinField(t, t('card.pinHelp', { brand: brand.name }))] : []),
    ...(takesOfCard(session, 'nameOnCard') ? [name] : []),
  ];
}

function numberField(t: Translate, brand: CardBrand): FieldSpec {
  return {
    ...fieldOf(t, 'card.number', 'card.number', 'error.cardNumber'),
    attributes: { ...DIGITS, autocomplete: 'cc-number', placeholder: '0000 0000 0000 0000' },
    adornment: brand.name,
    format: (text) => {
      const number = digitsOf(text).slice(0, LONGEST_NUMBER);
      return grouped(number, brandOf(number).gaps);
    },
    check: (value) => (isCardNumber(digitsOf(value)) ? undefined : t('error.cardNumber')),
  };
}

function expiryField(t: Translate, now: FieldFacts['now']): FieldSpec {
  return {
    ...fieldOf(t, 'card.expiry', 'card.expiry', 'error.expiry'),
    attributes: { ...DIGITS, autocomplete: 'cc-exp', placeholder: t('card.expiryFormat') },
    isHalf: true,
    format: expiryText,
    check: (value) => {
      const expiry = parseExpiry(value);
      if (expiry === undefined) return t('error.expiry');
      return isPast(expiry, now()) ? t('error.expired') : undefined;
    },
  };
}

function securityCodeField(t: Translate, brand: CardBrand): FieldSpec {
  const { id, securityCodeLength: length } = brand;
  const digits = String(length);
  return {
    ...fieldOf(t, 'card.cvv', 'card.securityCode'),
    hint: t(id === 'amex' ? 'card.securityCodeHelpFront' : 'card.securityCodeHelp', { digits }),
    attributes: { ...DIGITS, autocomplete: 'cc-csc' },
    isHalf: true,
    format: (text) => digitsOf(text).slice(0, 4),
    check: (value) => {
      const typed = digitsOf(value).length;
      const fits = typed === length || (brand === OTHER_BRAND && typed === 4);
      return fits ? undefined : t('error.securityCode', { digits });
    },
  };
}

function bankField(t: Translate, banks: readonly UssdBank[]): FieldSpec {
  const choices = banks.map(({ code, name }) => ({ value: code, label: name }));
  return {
    ...fieldOf(t, 'bankCode', 'ussd.bank', 'error.bank'),
    choices: [{ value: '', label: t('choose') }, ...choices],
    missing: t('error.bank'),
  };
}

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

function payerField(member: keyof Payer, t: Translate): FieldSpec {
  const name = `payer.${member}` as const;
  const autocomplete = AUTOCOMPLETE[member];
  if (member === 'email')
    return {
      ...fieldOf(t, name, name, 'error.email'),
      attributes: { autocomplete, inputMode: 'email', type: 'email', dir: 'ltr' },
      check: (value) => (EMAIL.test(inAscii(value)) ? undefined : t('error.email')),
    };
  if (member === 'phone')
    return {
      ...fieldOf(t, name, name, 'error.phone'),
      hint: t('payer.phoneHelp'),
      attributes: { autocomplete, inputMode: 'tel', type: 'tel', dir: 'ltr' },
      check: (value) => (isPhone(value) ? undefined : t('error.phone')),
    };
  return { ...fieldOf(t, name, name), attributes: { autocomplete }, isHalf: true };
}

function billingField(member: keyof Billing, { t, locale }: Language): FieldSpec {
  const name = `billing.${member}` as const;
  const field = { ...fieldOf(t, name, name), attributes: { autocomplete: AUTOCOMPLETE[member] } };
  if (member !== 'country') return { ...field, isHalf: member !== 'street' };
  const choices = countries(locale).map((country) => ({ value: country.code, label: country.name }));
  return { ...field, choices: [{ value: '', label: t('choose') }, ...choices], missing: t('error.country') };
}
