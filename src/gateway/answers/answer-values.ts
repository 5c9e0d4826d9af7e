import currencyCodes from 'currency-codes';
import { parseMajor } from '../../money/money.js';
import { PROTOTYPE_KEYS, readPointer, type Pointer } from '../profile/pointer.js';
import type { AnswerAmountUnit } from '../profile/format.js';
import type { KeptValues } from '../gateway-input.js';

/** No gateway's reference, name or address is longer. A longer text is not accepted as one. */
const MAX_TEXT = 2048;

/** Long enough for any reason that a person reads. */
const MAX_MESSAGE = 500;

/** No valid amount is longer. */
const MAX_AMOUNT = 32;

const CONTROL_CHARACTER = /\p{Cc}/u;
const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/** A scalar as the text to compare. Undefined for null, objects, lists and the empty string. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/**
 * Lower-cases ASCII letters only. Unicode case mapping would accept look-alikes such as `ſUCCESS`, and a word that
 * moves money must not be guessed.
 */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A text that can be stored and shown unchanged: no control characters, no lone surrogates, not too long. */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'boolean' ? undefined : scalarText(value);
  if (text === undefined || text.length > MAX_TEXT || CONTROL_CHARACTER.test(text)) return undefined;
  return text.isWellFormed() ? text : undefined;
}

/** A text for people to read. Control characters become spaces, and long texts are cut. */
export function readMessage(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.slice(0, MAX_MESSAGE).toWellFormed().replace(CONTROL_CHARACTERS, ' ').trim();
  return text === '' ? undefined : text;
}

/** The form fields of a redirect: an object of scalars. Undefined where any member is something else. */
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
 * ignored by the profile). `unreadable` where the value is not a valid amount of that currency.
 */
export function readAmount(
  value: unknown,
  unit: AnswerAmountUnit,
  currency: string,
): bigint | 'unreadable' | undefined {
  if (unit === 'ignore' || value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return 'unreadable';
  // A number too large for a double was already rounded by the JSON parser.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return 'unreadable';
  const text = String(value);
  if (text.length > MAX_AMOUNT) return 'unreadable';
  if (unit === 'minor') return /^(?:0|[1-9][0-9]{0,17})$/.test(text) ? BigInt(text) : 'unreadable';
  // Some gateways write four decimals for every currency. Extra zeros do not change the amount.
  return parseMajor(text, currency) ?? parseMajor(withoutTrailingZeros(text), currency) ?? 'unreadable';
}

function withoutTrailingZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : decimal;
}

/**
 * An ISO 4217 code as its alphabetic form, in any case or numeric (`566` is NGN). Anything else is returned
 * unchanged.
 */
export function readCurrency(value: unknown): string | undefined {
  const text = readText(value);
  if (text === undefined) return undefined;
  if (/^[A-Za-z]{3}$/.test(text)) return text.toUpperCase();
  return /^[0-9]{3}$/.test(text) ? (currencyCodes.number(text)?.code ?? text) : text;
}

const ISO_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i;

/**
 * A time as RFC 3339 in UTC. Accepts an ISO 8601 text with a zone, or seconds or milliseconds since 1970. A text
 * without a zone could be off by hours, so it is rejected.
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

const ISO_MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * A moment that has passed, in milliseconds since the epoch. Accepts an ISO 8601 text, UTC where it has no zone, or seconds or
 * milliseconds since 1970, as a number or in digits.
 */
export function readMoment(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{9,13}$/.test(value)) return readMoment(Number(value));
  if (typeof value === 'number') {
    const iso = readTime(value);
    return iso === undefined ? undefined : Date.parse(iso);
  }
  const match = typeof value === 'string' ? ISO_MOMENT.exec(value) : null;
  if (!match) return undefined;
  const [, day = '', minute = '00:00', second = ':00', zone = 'Z'] = match;
  const iso = readTime(`${day}T${minute}${second}${zone}`);
  return iso === undefined ? undefined : Date.parse(iso);
}

/** A longer value is no reference. */
const MAX_BYTES = 512;

/** Where values are kept from: an answer's document, or what finds values in something else. */
export type KeptSource = { readonly at: (pointer: Pointer) => unknown };

/** An answer's document as a source of values. */
export function sourceOf(document: unknown): KeptSource {
  return { at: (pointer) => readPointer(document, pointer) };
}

/** A value of an answer that is kept under a name. */
export interface KeepPlan {
  readonly name: string;
  readonly pointer: Pointer;
}

/** The values that the profile keeps, as far as a source has them. */
export function readKept(keep: readonly KeepPlan[], source: KeptSource): KeptValues {
  const kept: Record<string, string> = {};
  for (const { name, pointer } of keep) {
    const text = readText(source.at(pointer));
    if (text !== undefined && Buffer.byteLength(text) <= MAX_BYTES) kept[name] = text;
  }
  return kept;
}
