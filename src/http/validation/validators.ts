import { isEmail, ValidateBy, ValidateIf } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import countries from 'i18n-iso-countries/index.js';
import 'reflect-metadata';
import { beginningOf } from '../../calendar/time-zone.js';
import { minorDigits } from '../../money/money.js';
import { isCardNumber } from '../../card-numbers/card-brand.js';
import { AsTyped, isWithin, oneLine, typedEmail, typedPhone } from './typed-text.js';

/**
 * Makes a decorator for a string that must pass a test. `message` continues the property's name: `must be …`. It never
 * contains the value, because a refusal repeats nothing that was sent.
 */
export function textRule(name: string, message: string, test: (text: string) => boolean): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => typeof value === 'string' && test(value),
      defaultMessage: () => `$property ${message}`,
    },
  });
}

/** The condition of {@link Omittable}, by which the compiled validators know it. */
export const isGiven = (_: object, value: unknown): boolean => value !== undefined;

/**
 * A member that may be left out, and must have a value where it is there: `null` is refused. For members whose absence means all
 * of something, or that change what is done with money: a variable that is null by mistake must not ask for more than a caller meant.
 */
export const Omittable = (): PropertyDecorator => ValidateIf(isGiven);

/** One line of text for people: 1 to `max` characters. It is taken as people type it. */
export const IsPlainText = (max: number): PropertyDecorator =>
  applyDecorators(
    textRule(
      'isPlainText',
      `must be a text of 1 to ${max} characters`,
      (text) => oneLine(text) !== '' && isWithin(text, max),
    ),
    AsTyped(oneLine),
  );

/** A string of `min` to `max` ASCII digits. Digits of other scripts are refused. */
export function IsDigits(min: number, max: number): PropertyDecorator {
  const pattern = new RegExp(`^[0-9]{${min},${max}}$`);
  const count = min === max ? String(min) : `${min} to ${max}`;
  return textRule('isDigits', `must be ${count} digits`, (text) => pattern.test(text));
}

/** No number in this API has more digits. */
const WHOLE = /^(?:0|[1-9][0-9]{0,8})$/;

/** A whole number from `min` to `max` in a query parameter: a string of ASCII digits without leading zeros. */
export const IsIntegerText = (min: number, max: number): PropertyDecorator =>
  textRule(
    'isIntegerText',
    `must be a whole number from ${min} to ${max}`,
    (text) => WHOLE.test(text) && Number(text) >= min && Number(text) <= max,
  );

/**
 * Up to twelve digits before the point and up to four after it, because no currency has more. At least one digit is not
 * zero.
 */
const AMOUNT = /^(?=.*[1-9])(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,4})?$/;

/**
 * An amount above zero as a decimal string in major units (`"1500.00"`). The number of minor digits depends on the
 * currency, so the service that knows the currency makes that check.
 */
export const IsDecimalAmount = (): PropertyDecorator =>
  textRule('isDecimalAmount', 'must be a decimal string above zero, such as 1500.00', (text) =>
    AMOUNT.test(text),
  );

/** A currency by its ISO 4217 code of three capital letters (`NGN`). */
export const IsCurrency = (): PropertyDecorator =>
  textRule(
    'isCurrency',
    'must be a currency code of three capital letters',
    (text) => minorDigits(text) !== undefined,
  );

const COUNTRIES: ReadonlySet<string> = new Set(Object.keys(countries.getAlpha3Codes()));

/** A country by its ISO 3166-1 code of three capital letters (`NGA`). */
export const IsCountryAlpha3 = (): PropertyDecorator =>
  applyDecorators(
    textRule('isCountryAlpha3', 'must be a country code of three capital letters', (text) =>
      COUNTRIES.has(text),
    ),
    AsTyped((text) => oneLine(text).toUpperCase()),
  );

/** A date (`2031-01-31`) or a time (`2031-01-31T10:00:00Z`, RFC 3339). */
export const IsMoment = (): PropertyDecorator =>
  textRule(
    'isMoment',
    'must be a date such as 2031-01-31, or a time such as 2031-01-31T10:00:00Z',
    (text) => beginningOf(text, { name: 'utc' }) !== undefined,
  );

/** A language by its BCP 47 tag (`en-NG`). One that nobody knows is left out: it must not cost the order. */
export const IsLanguageTag = (): PropertyDecorator =>
  applyDecorators(
    textRule('isLanguageTag', 'must be a BCP 47 language tag', isLanguageTag),
    AsTyped((text) => {
      const tag = oneLine(text).replaceAll('_', '-');
      return isLanguageTag(tag) ? tag : '';
    }),
  );

/** Longer tags can be well-formed, but no real language needs one. */
const MAX_TAG_LENGTH = 35;

function isLanguageTag(text: string): boolean {
  try {
    return text.length <= MAX_TAG_LENGTH && new Intl.Locale(text).language !== '';
  } catch {
    return false;
  }
}

/** An e-mail address, at most 254 characters. Its domain becomes ASCII. */
export const IsEmailAddress = (): PropertyDecorator =>
  applyDecorators(
    textRule('isEmailAddress', 'must be an e-mail address', (text) =>
      isEmail(text, { allow_utf8_local_part: false }),
    ),
    AsTyped(typedEmail),
  );

const PHONE = /^\+?[0-9]{6,15}$/;

/** No telephone number that is typed without its `+` is so long, but a card number is. */
const LONG_PHONE = /^[0-9]{14,15}$/;

/**
 * A telephone number of 6 to 15 digits, taken as people type it. It is not searched for card numbers: some telephone numbers
 * have the digits of a short one.
 */
export const IsPhone = (): PropertyDecorator =>
  applyDecorators(
    textRule(
      'isPhone',
      'must be a phone number of 6 to 15 digits',
      (text) => PHONE.test(text) && !(LONG_PHONE.test(text) && isCardNumber(text)),
    ),
    AsTyped(typedPhone),
    MayHoldCardNumber(),
  );

/** A card number: 12 to 19 ASCII digits without spaces, with a valid check digit, in a length of its brand. Never store it. */
export const IsCardNumber = (): PropertyDecorator =>
  applyDecorators(textRule('isCardNumber', 'must be a card number', isCardNumber), MayHoldCardNumber());

const MAY_HOLD = 'tillfront:may-hold-card-number';

/**
 * Marks a field of a body that is not searched for card numbers: the card's own, what is encrypted, and telephone numbers, which are
 * digits too. Every other text is searched, since it may be stored.
 */
export const MayHoldCardNumber = (): PropertyDecorator => (target, property) => {
  Reflect.defineMetadata(MAY_HOLD, true, target, property);
};

/** Whether a field of a class is marked so. */
export function mayHoldCardNumber(type: { readonly prototype: object }, property: string): boolean {
  return Reflect.getMetadata(MAY_HOLD, type.prototype, property) === true;
}
