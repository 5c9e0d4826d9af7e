import currencyCodes from 'currency-codes';
import { parseMajor } from '../../money/money.js';
import { PROTOTYPE_KEYS } from '../profile/pointer.js';
import type { AnswerAmountUnit } from '../profile/format.js';

/** No reference, name or address of a gateway is longer; what is longer is not one. */
const MAX_TEXT = 2048;

/** Enough for any reason that a person reads. */
const MAX_MESSAGE = 500;

/** Longer than any amount that can be one. */
const MAX_AMOUNT = 32;

const CONTROL_CHARACTER = /\p{Cc}/u;
const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/** A scalar as the text it is compared by; undefined for null, objects and lists, and for the empty string, which is no value. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/**
 * Lower case of ASCII letters only. Unicode's own mapping would take words for others that merely look alike
 * (`ſUCCESS`), and a word that moves money is not to be guessed.
 */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A text that can be stored and shown as it is: no control characters, no halves of characters, not too long. */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'boolean' ? undefined : scalarText(value);
  if (text === undefined || text.length > MAX_TEXT || CONTROL_CHARACTER.test(text)) return undefined;
  return text.isWellFormed() ? text : undefined;
}

/** A text for people: control characters become blanks, what is too long is cut. */
export function readMessage(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.slice(0, MAX_MESSAGE).toWellFormed().replace(CONTROL_CHARACTERS, ' ').trim();
  return text === '' ? undefined : text;
}

/** Form fields of a redirect: an object of scalars. Undefined where a member is anything else. */
export function readFields(value: unknown): Record<string, string> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields: Record<string, string> = {};
  for (const [name, member] of Object.entries(value)) {
    if (PROTOTYPE_KEYS.has(name)) continue;
    const text = member === '' ? '' : scalarText(member);
    if (text === undefined) return undefined;
    fields[name] = text;
  }
  return fields;
}

/**
 * An amount in minor units of the currency that was asked for. Undefined where there is none (absent, null, empty, or
 * the profile ignores amounts); `unreadable` where there is one that is not an amount of that currency.
 */
export function readAmount(
  value: unknown,
  unit: AnswerAmountUnit,
  currency: string,
): bigint | 'unreadable' | undefined {
  if (unit === 'ignore' || value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return 'unreadable';
  // A number beyond what a double holds exactly was rounded when it was read.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return 'unreadable';
  const text = String(value);
  if (text.length > MAX_AMOUNT) return 'unreadable';
  if (unit === 'minor') return /^(?:0|[1-9][0-9]{0,17})$/.test(text) ? BigInt(text) : 'unreadable';
  // Some gateways write four decimals for every currency; zeros beyond the currency's own change nothing.
  return parseMajor(text, currency) ?? parseMajor(withoutTrailingZeros(text), currency) ?? 'unreadable';
}

function withoutTrailingZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : decimal;
}

/** An ISO 4217 code: alphabetic in any case, or numeric (`566`), as NGN. Anything else is handed on as it came. */
export function readCurrency(value: unknown): string | undefined {
  const text = readText(value);
  if (text === undefined) return undefined;
  if (/^[A-Za-z]{3}$/.test(text)) return text.toUpperCase();
  return /^[0-9]{3}$/.test(text) ? (currencyCodes.number(text)?.code ?? text) : text;
}

const ISO_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i;

/**
 * A time as RFC 3339 in UTC: from an ISO 8601 text with a zone, or from seconds or milliseconds since 1970.
 * A text without a zone may be hours off and is not read.
 */
export function readTime(value: unknown): string | undefined {
  if (typeof value === 'number')
    return value > 1e8 ? isoTime(value < 1e11 ? value * 1000 : value) : undefined;
  if (typeof value !== 'string') return undefined;
  const match = ISO_TIME.exec(value);
  if (!match) return undefined;
  const [, day = '', minute = '', second = ':00', zone = ''] = match;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  return isoTime(Date.parse(`${day}T${minute}${second}${offset}`));
}

function isoTime(milliseconds: number): string | undefined {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
