import { DAY_MS, type TimeZone } from '../../calendar/time-zone.js';
import { ValidateBy, ValidateIf } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import countries from 'i18n-iso-countries/index.js';
import 'reflect-metadata';
import { minorDigits } from '../../money/money.js';
import { isCardNumber } from '../../card-numbers/card-brand.js';
import { AsTyped, oneLine, typedEmail, typedPhone } from './typed-text.js';

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

/** How many passed values are remembered. A few hundred time zones exist, and about as many languages are in use. */
const MAX_REMEMBERED = 2_000;

/**
 * Remembers the values that passed a slow test. Failed values are tested again each time: a hostile caller can send any
 * number of them, and they must not push out the valid ones.
 */
function rememberPassed(test: (text: string) => boolean): (text: string) => boolean {
  const passed = new Set<string>();
  return (text) => {
    if (passed.has(text)) return true;
    if (!test(text)) return false;
    if (passed.size < MAX_REMEMBERED) passed.add(text);
    return true;
  };
}

/** The rule's name, by which its message goes before that of any other. */
export const NOT_NULL = 'isNotNull';

/** The condition of {@link Omittable}, by which the compiled validators know it. */
export const isGiven = (_: object, value: unknown): boolean => value !== undefined;

/**
 * A member that may be left out, and must have a value where it is there: `null` is refused. For members whose absence means all
 * of something, or that change what is done with money: a variable that is null by mistake must not ask for more than a caller meant.
 */
export const Omittable = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf(isGiven),
    ValidateBy({
      name: NOT_NULL,
      validator: {
        validate: (value) => value !== null,
        defaultMessage: () => '$property must have a value or be left out; null is neither',
      },
    }),
  );

/** One line of text for people: 1 to `max` characters. It is taken as people type it. */
export const IsPlainText = (max: number): PropertyDecorator =>
  applyDecorators(
    textRule(
      'isPlainText',
      `must be a text of 1 to ${max} characters`,
      (text) => oneLine(text) !== '' && text.length <= max,
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

// The package's main file loads the names of all countries in all languages.

const COUNTRIES: ReadonlySet<string> = new Set(Object.keys(countries.getAlpha3Codes()));

/** A country by its ISO 3166-1 code of three capital letters (`NGA`). */
export const IsCountryAlpha3 = (): PropertyDecorator =>
  applyDecorators(
    textRule('isCountryAlpha3', 'must be a country code of three capital letters', (text) =>
      COUNTRIES.has(text),
    ),
    AsTyped((text) => oneLine(text).toUpperCase()),
  );

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** A date as a day, or a time in milliseconds since the epoch; undefined for anything else. */
function readMoment(text: string): { day: number } | { at: number } | undefined {
  const isDate = DATE.test(text);
  if (!isDate && !MOMENT.test(text)) return undefined;
  const at = Date.parse(text);
  const date = text.slice(0, 10);
  const midnight = Date.parse(date);
  // A day that its month does not have becomes one of the next month.
  if (Number.isNaN(at) || !new Date(midnight).toISOString().startsWith(date)) return undefined;
  return isDate ? { day: at / DAY_MS } : { at };
}

/** The beginning of a stretch of time: a time (RFC 3339), or the beginning of a date in a zone. Undefined for anything else. */
export function beginningOf(text: string, zone: TimeZone): number | undefined {
  const read = readMoment(text);
  return read && ('day' in read ? zone.startOf(read.day) : read.at);
}

/** The end of a stretch, which is no longer in it: a time, or the end of a date, which is in it as a whole. */
export function endOf(text: string, zone: TimeZone): number | undefined {
  const read = readMoment(text);
  return read && ('day' in read ? zone.startOf(read.day + 1) : read.at);
}

/** A date (`2031-01-31`) or a time (`2031-01-31T10:00:00Z`, RFC 3339). */
export const IsMoment = (): PropertyDecorator =>
  textRule(
    'isMoment',
    'must be a date such as 2031-01-31, or a time such as 2031-01-31T10:00:00Z',
    (text) => readMoment(text) !== undefined,
  );

/** Longer tags can be well-formed, but no real language needs one. */
const MAX_TAG_LENGTH = 35;

const isLanguageTag = rememberPassed((text) => {
  if (text.length > MAX_TAG_LENGTH) return false;
  try {
    return new Intl.Locale(text).language !== '';
  } catch {
    return false;
  }
});

/** A language by its BCP 47 tag (`en-NG`). One that nobody knows is left out: it must not cost the order. */
export const IsLanguageTag = (): PropertyDecorator =>
  applyDecorators(
    textRule('isLanguageTag', 'must be a BCP 47 language tag', isLanguageTag),
    AsTyped((text) => {
      const tag = oneLine(text).replaceAll('_', '-');
      return isLanguageTag(tag) ? tag : '';
    }),
  );

/** RFC 5321 limits: 64 characters before the @, 254 in all. */
const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** A dot-atom of RFC 5322. Quoted forms and comments exist in theory only. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/**
 * At least two labels. The last one begins with a letter, so an IP address is refused. International names are written as
 * `xn--…`.
 */
const DOMAIN =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Whether a text has the form of a deliverable address. This is what gateways and mail servers accept, which is less than
 * RFC 5322 allows.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > MAX_EMAIL_LENGTH) return false;
  const at = text.indexOf('@');
  return (
    at > 0 && at <= MAX_LOCAL_LENGTH && LOCAL_PART.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1))
  );
}

/** An e-mail address, at most 254 characters. Its domain becomes ASCII. */
export const IsEmailAddress = (): PropertyDecorator =>
  applyDecorators(
    textRule('isEmailAddress', 'must be an e-mail address', isEmailAddress),
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

/** A query's text whose bytes were UTF-8: others are left as they came, behind a percent sign. */
export const UTF_8 = /^[^%\uFFFD]*$/;
