import { digitsOf, inAscii } from './digits.js';

export interface Expiry {
  /** `"01"` to `"12"`. */
  month: string;
  /** Four digits. */
  year: string;
}

/**
 * What was typed, pasted or filled in, as `MM / YY`: also `2031-12`, `203112` and `12/2031`. A month of one digit gets its zero
 * when it can be no other (`5`), or when a separator ends it (`1/28`).
 */
export function expiryText(text: string): string {
  const ascii = inAscii(text);
  const [, year, month] = /^\D*20(\d\d)\D?(0[1-9]|1[0-2])\D*$/.exec(ascii) ?? [];
  if (year !== undefined && month !== undefined) return `${month} / ${year}`;
  const [, single = '', rest = ''] = /^\D*([1-9])\s*[/.\\–-](.*)$/s.exec(ascii) ?? [];
  const typed = single === '' ? digitsOf(text) : `0${single}${digitsOf(rest)}`;
  // A year may come first: nothing is said about "2" and "20" until more is typed.
  if (/^20?$|^20\d{1,3}$/.test(typed)) return typed;
  const digits = /^[2-9]/.test(typed) ? `0${typed}` : typed;
  const end = digits.slice(2, 6);
  return end === '' ? digits.slice(0, 2) : `${digits.slice(0, 2)} / ${end}`;
}

/** Parses `MM / YY` or `MM / YYYY`. Undefined where it is not a month of a year. */
export function parseExpiry(text: string): Expiry | undefined {
  const digits = digitsOf(expiryText(text));
  const month = digits.slice(0, 2);
  const rest = digits.slice(2);
  const year = rest.length === 2 ? `20${rest}` : rest;
  return /^(0[1-9]|1[0-2])$/.test(month) && /^20\d{2}$/.test(year) ? { month, year } : undefined;
}

/**
 * A card is valid until the last day of its month, in whichever time zone that day ends last. `now`: the service's time in
 * milliseconds since 1970. Where it is not known, the service says what has expired.
 */
export function isPast({ month, year }: Expiry, now: number | undefined): boolean {
  if (now === undefined) return false;
  const firstDayAfter = Date.UTC(Number(year), Number(month), 1);
  const latestTimeZone = 12 * 3_600_000;
  return now >= firstDayAfter + latestTimeZone;
}
