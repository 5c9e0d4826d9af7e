import type { Card, CheckoutSession, PayerDetails, PaymentMethod, UssdBank } from '../kit/types.js';
import { brandOf, isCardNumber, OTHER_BRAND } from './card-brands.js';
import { countries } from './countries.js';
import { digitsOf, grouped, inAscii, isPhone } from './digits.js';
import { expiryText, isPast, parseExpiry } from './expiry.js';
import type { FieldSpec } from './field.js';
import type { Language, MessageKey, Translate } from './messages.js';

/** What a payer typed into the form, by the names of the fields. */
export type Typed = Record<string, string>;

/** What decides which fields there are. */
export interface FieldFacts {
  session: CheckoutSession;
  method: PaymentMethod;
  typed: Typed;
  language: Language;
  now: () => number | undefined;
  banks: readonly UssdBank[];
}

export interface FieldGroups {
  card: FieldSpec[];
  bank: FieldSpec[];
  payer: FieldSpec[];
  billing: FieldSpec[];
}

/**
 * The fields of the chosen method: what the gateway needs and the session does not have. State and postal code only where
 * the country requires them: that of the session, by which the service has already decided, or the one that the payer chose.
 */
export function fieldsOf(facts: FieldFacts): FieldGroups {
  const { session, method, typed, language } = facts;
  const { fields, provided, requiredIn } = session;
  const needs = fields[method];
  const lacks = (group: 'payer' | 'billing', member: string, needed: readonly string[] = []): boolean =>
    needed.includes(member) && !provided[group].includes(member);
  const isOfCountry = (member: string): boolean => {
    const required = ({ ...requiredIn } as Record<string, string[] | undefined>)[member];
    return (
      provided.billing.includes('country') || required?.includes(typed['billing.country'] ?? '') !== false
    );
  };
  const payer = (['email', 'phone', 'firstName', 'lastName'] as const).flatMap((member) => {
    const isOptional = !lacks('payer', member, needs?.payer);
    const isShown = !isOptional || lacks('payer', member, needs?.optional);
    return isShown ? [{ ...payerField(member, language.t), isOptional }] : [];
  });
  // The country first, because it decides which of the others there are.
  const billing = (['country', 'street', 'city', 'stateProvince', 'postCode'] as const)
    .filter((member) => lacks('billing', member, needs?.billing) && isOfCountry(member))
    .map((member) => billingField(member, language));
  return {
    card: method === 'card' ? cardFields(facts) : [],
    bank: method === 'ussd' ? [bankField(language.t, facts.banks)] : [],
    ...{ payer, billing },
  };
}

/** The card as typed, without what is not asked for. Call it only when everything is valid. */
export function cardIn(typed: Typed, fields: readonly FieldSpec[]): Card {
  const text = (name: string): string | undefined =>
    fields.some((field) => field.name === name) ? typed[name]?.trim() : undefined;
  const [expiry, cvv, pin, nameOnCard] = ['card.expiry', 'card.cvv', 'card.pin', 'card.nameOnCard'].map(text);
  const date = parseExpiry(expiry ?? '');
  return {
    number: digitsOf(typed['card.number'] ?? ''),
    ...(date && { expiryMonth: date.month, expiryYear: date.year }),
    ...(cvv && { cvv: digitsOf(cvv) }),
    ...(pin && { pin: digitsOf(pin) }),
    ...(nameOnCard && { nameOnCard }),
  };
}

/** Who pays, as typed into these fields. */
export function detailsIn(typed: Typed, { payer, billing }: FieldGroups): PayerDetails {
  const read = (fields: readonly FieldSpec[]): Record<string, string> => {
    const pairs = fields.map(({ name }) => [name.split('.')[1] ?? '', typed[name]?.trim() ?? ''] as const);
    return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
  };
  const who = read(payer);
  // What a phone's own contacts put between the digits is nobody's number.
  return { payer: { ...who, ...(who['phone'] && { phone: inAscii(who['phone']) }) }, billing: read(billing) };
}

/** The field that a pointer of the service belongs to. */
export function fieldAt(pointer: string): string {
  const name = pointer.slice(1).replaceAll('/', '.');
  return name.startsWith('card.expiry') ? 'card.expiry' : name;
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
    ...{ hint, look: 'masked' },
    attributes: { ...DIGITS, autocomplete: 'off', placeholder: ' ' },
    format: (text) => digitsOf(text).slice(0, 6),
    check: (value) => !/^\d{4,6}$/.test(digitsOf(value)) && t('error.pin'),
  };
}

export function otpField(t: Translate): FieldSpec {
  return {
    ...fieldOf(t, 'otp', 'otp.label', 'otp.wrong'),
    ...{ look: 'code', missing: t('error.otp') },
    attributes: { ...DIGITS, autocomplete: 'one-time-code' },
    format: (text) => digitsOf(text).slice(0, 10),
    check: (value) => digitsOf(value).length < 4 && t('error.otp'),
  };
}

function cardFields({ session, typed, language: { t }, now }: FieldFacts): FieldSpec[] {
  const brand = brandOf(digitsOf(typed['card.number'] ?? ''));
  const { id, name, securityCodeLength: length } = brand;
  const card = session.fields.card;
  const takes = (...members: string[]): boolean =>
    members.some((member) => card?.card.includes(member) !== false);
  const digits = String(length);
  const isFront = length === 4;
  const fields: (FieldSpec | false)[] = [
    {
      ...fieldOf(t, 'card.number', 'card.number', 'error.cardNumber'),
      attributes: { ...DIGITS, autocomplete: 'cc-number', placeholder: '0000 0000 0000 0000' },
      adornment: name,
      format: (text) => grouped(digitsOf(text).slice(0, 19), brandOf(digitsOf(text)).gaps),
      check: (value) => !isCardNumber(digitsOf(value)) && t('error.cardNumber'),
    },
    takes('expiryMonth', 'expiryYear') && {
      ...fieldOf(t, 'card.expiry', 'card.expiry', 'error.expiry'),
      ...{ isHalf: true, format: expiryText },
      attributes: { ...DIGITS, autocomplete: 'cc-exp', placeholder: t('card.expiryFormat') },
      check: (value) => {
        const expiry = parseExpiry(value);
        if (expiry === undefined) return t('error.expiry');
        return isPast(expiry, now()) && t('error.expired');
      },
    },
    takes('cvv') && {
      ...fieldOf(t, 'card.cvv', 'card.securityCode'),
      isHalf: true,
      hint: t(isFront ? 'card.securityCodeHelpFront' : 'card.securityCodeHelp', { digits }),
      attributes: { ...DIGITS, autocomplete: 'cc-csc' },
      format: (text) => digitsOf(text).slice(0, 4),
      check: (value) => {
        const fits = brand === OTHER_BRAND ? [3, 4] : [length];
        return !fits.includes(digitsOf(value).length) && t('error.securityCode', { digits });
      },
    },
    card?.pin.brands.includes(id) === true && pinField(t, t('card.pinHelp', { brand: name })),
    takes('nameOnCard') && {
      ...fieldOf(t, 'card.nameOnCard', 'card.name'),
      attributes: { autocomplete: 'cc-name', autocapitalize: 'words' },
    },
  ];
  return fields.filter((field) => field !== false);
}

function bankField(t: Translate, banks: readonly UssdBank[]): FieldSpec {
  const choices = banks.map(({ code, name }) => ({ value: code, label: name }));
  return {
    ...fieldOf(t, 'bankCode', 'ussd.bank', 'error.bank'),
    choices: [{ value: '', label: t('choose') }, ...choices],
    missing: t('error.bank'),
  };
}

function payerField(member: 'email' | 'phone' | 'firstName' | 'lastName', t: Translate): FieldSpec {
  const name = `payer.${member}` as const;
  switch (member) {
    case 'email':
      return {
        ...fieldOf(t, name, name, 'error.email'),
        attributes: { autocomplete: 'email', inputMode: 'email', type: 'email', dir: 'ltr' },
        check: (value) => !/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(inAscii(value)) && t('error.email'),
      };
    case 'phone':
      return {
        ...fieldOf(t, name, name, 'error.phone'),
        hint: t('payer.phoneHelp'),
        attributes: { autocomplete: 'tel', inputMode: 'tel', type: 'tel', dir: 'ltr' },
        check: (value) => !isPhone(value) && t('error.phone'),
      };
    default: {
      const autocomplete = member === 'firstName' ? 'given-name' : 'family-name';
      return { ...fieldOf(t, name, name), attributes: { autocomplete }, isHalf: true };
    }
  }
}

const ADDRESS = {
  street: 'billing address-line1',
  city: 'billing address-level2',
  stateProvince: 'billing address-level1',
  postCode: 'billing postal-code',
  country: 'billing country',
} as const;

function billingField(member: keyof typeof ADDRESS, { t, locale }: Language): FieldSpec {
  const name = `billing.${member}` as const;
  const field = { ...fieldOf(t, name, name), attributes: { autocomplete: ADDRESS[member] } };
  if (member !== 'country') return { ...field, isHalf: member !== 'street' };
  const choices = countries(locale).map((country) => ({ value: country.code, label: country.name }));
  return { ...field, choices: [{ value: '', label: t('choose') }, ...choices], missing: t('error.country') };
}
