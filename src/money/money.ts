import currencyCodes from 'currency-codes';

/** The most digits before the decimal point. No payment needs more, and every store and gateway can hold that many. */
const MAX_WHOLE_DIGITS = 12;

/** Currencies that are newer than the package's list. Source: ISO 4217 amendment 176 (Caribbean guilder, from 2025-03-31). */
const NEWER: readonly [code: string, digits: number][] = [['XCG', 2]];

const digitsByCurrency = new Map([
  ...currencyCodes.data.map((entry): [string, number] => [entry.code, entry.digits]),
  ...NEWER,
]);

/** The number of minor digits of an ISO 4217 currency (NGN: 2, JPY: 0), or undefined where no such currency exists. */
export function minorDigits(currency: string): number | undefined {
  return digitsByCurrency.get(currency);
}

/**
 * Reads a decimal string in major units (`"1500.00"`) as minor units. Undefined for an unknown currency, for more minor
 * digits than the currency has, and for signs, exponents, spaces, superfluous leading zeros or anything else that is not a
 * plain decimal.
 */
export function parseMajor(text: string, currency: string): bigint | undefined {
  const digits = minorDigits(currency);
  if (digits === undefined || text.length > MAX_WHOLE_DIGITS + 1 + digits) return undefined;
  const match = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  if (whole.length > MAX_WHOLE_DIGITS || fraction.length > digits) return undefined;
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

/** Writes minor units as a decimal string in major units with all of the currency's minor digits. */
export function formatMajor(minor: bigint, currency: string): string {
  if (minor < 0n) return `-${formatMajor(-minor, currency)}`;
  const digits = minorDigits(currency) ?? 0;
  const text = minor.toString().padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
