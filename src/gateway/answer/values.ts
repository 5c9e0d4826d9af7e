import currencyCodes from 'currency-codes';
import { readPointer, type Pointer } from '../profile/pointer.js';

/** No gateway's reference, name or account is longer. */
const MAX_TEXT = 2048;
/** Long enough for any reason that a person reads. */
const MAX_MESSAGE = 500;

/** A scalar as the text that words are compared with. Undefined for null, objects, lists and the empty text. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A text that can be stored and shown unchanged: no control characters, no lone surrogates, not too long, ends trimmed. */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'boolean' ? undefined : scalarText(value)?.trim();
  if (text === undefined || text === '' || text.length > MAX_TEXT || /\p{Cc}/u.test(text)) return undefined;
  return text.isWellFormed() ? text : undefined;
}

/** A text for people: control characters become blanks, and long texts are cut. */
export function readMessage(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.slice(0, MAX_MESSAGE).toWellFormed();
  return text.replace(/\p{Cc}+/gu, ' ').trim() || undefined;
}

/** An ISO 4217 code in letters, from letters of any case or digits (`566` is NGN). Anything else as it is. */
export function readCurrency(value: unknown): string | undefined {
  const text = readText(value)?.toUpperCase();
  return text !== undefined && /^[0-9]{3}$/.test(text) ? (currencyCodes.number(text)?.code ?? text) : text;
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * A time in milliseconds: ISO 8601, or seconds or milliseconds since 1970 as a number or in digits. `zoned`: a text without a zone,
 * which could be off by hours, is none; else it is in UTC.
 */
export function readTime(value: unknown, zoned: boolean): number | undefined {
  if (typeof value === 'string' && /^\d{9,13}$/.test(value)) return readTime(Number(value), zoned);
  if (typeof value === 'number')
    return value > 1e8 && value < 1e14 ? Math.round(value < 1e11 ? value * 1000 : value) : undefined;
  const match = typeof value === 'string' ? ISO.exec(value) : null;
  if (!match) return undefined;
  const [, day = '', minute = '00:00', second = ':00', zone = zoned ? undefined : 'Z'] = match;
  if (zone === undefined) return undefined;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const at = Date.parse(`${day}T${minute}${second}${offset}`);
  return Number.isNaN(at) ? undefined : at;
}

/** Whether a text names a day without a time. */
export function isDay(value: unknown): boolean {
  return typeof value === 'string' && ISO.exec(value)?.[2] === undefined && ISO.test(value);
}

/** The value at the first pointer that has a readable one. */
export function first<T>(
  document: unknown,
  pointers: readonly Pointer[] | undefined,
  read: (value: unknown) => T | undefined,
): T | undefined {
  return firstAt((pointer) => readPointer(document, pointer), pointers, read);
}

/** The same of what a look-up finds. */
export function firstAt<T>(
  at: (pointer: Pointer) => unknown,
  pointers: readonly Pointer[] | undefined,
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const pointer of pointers ?? []) {
    const value = at(pointer);
    const found = value === undefined ? undefined : read(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a profile's `keep` takes of what came: texts, not too long, and clean of secrets. */
export function readKept(
  keep: Readonly<Record<string, readonly Pointer[]>>,
  at: (pointer: Pointer) => unknown,
  isClean: (text: string) => boolean = () => true,
  maxBytes = 512,
): Record<string, string> {
  const kept: Record<string, string> = {};
  const read = (value: unknown): string | undefined => {
    const text = typeof value === 'boolean' ? undefined : scalarText(value);
    if (text === undefined || /\p{Cc}/u.test(text) || !text.isWellFormed()) return undefined;
    return Buffer.byteLength(text) <= maxBytes && isClean(text) ? text : undefined;
  };
  for (const [name, pointers] of Object.entries(keep)) {
    const text = firstAt(at, pointers, read);
    if (text !== undefined) kept[name] = text;
  }
  return kept;
}

/** A body that begins with `<` is a firewall's page. */
export function isPage(text: string | undefined): boolean {
  return text !== undefined && /^[\s\uFEFF]*</.test(text);
}

/**
 * The document of an answer's text. Raw control characters in it are read as blanks; of a key that stands twice the last counts.
 * Undefined where it is no JSON.
 */
export function parseAnswer(text: string): unknown {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return exactly(plain);
  } catch {
    try {
      return exactly(plain.replace(/\p{Cc}/gu, ' '));
    } catch {
      return undefined;
    }
  }
}

/** Whole numbers that JavaScript would round, as references may be, are texts. */
function exactly(json: string): unknown {
  if (!/\d{16}/.test(json)) return JSON.parse(json);
  return JSON.parse(json, (_name, value: unknown, { source }: { source?: string } = {}) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
      ? source
      : value,
  );
}
