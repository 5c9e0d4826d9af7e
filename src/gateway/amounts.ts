import { minorDigits } from '../money/money.js';

/** Minor digits where the gateway counts otherwise than ISO 4217. */
export type Digits = Readonly<Record<string, number>>;

/** No amount is longer. */
const MAX_LENGTH = 32;

function digitsOf(currency: string, digits: Digits): { iso: number; gateway: number } {
  const iso = minorDigits(currency) ?? 2;
  return { iso, gateway: digits[currency] ?? iso };
}

/** An amount in the gateway's own minor units. Undefined where those cannot write it: 1500.50 in a currency without digits. */
export function toGateway(minor: bigint, currency: string, digits: Digits): bigint | undefined {
  const { iso, gateway } = digitsOf(currency, digits);
  if (gateway >= iso) return minor * 10n ** BigInt(gateway - iso);
  const factor = 10n ** BigInt(iso - gateway);
  return minor % factor === 0n ? minor / factor : undefined;
}

/** `1500.00`, with all of the gateway's digits. */
export function writeMajor(minor: bigint, currency: string, digits: Digits): string | undefined {
  const units = toGateway(minor, currency, digits);
  if (units === undefined) return undefined;
  const { gateway } = digitsOf(currency, digits);
  const text = units.toString().padStart(gateway + 1, '0');
  return gateway === 0 ? text : `${text.slice(0, -gateway)}.${text.slice(-gateway)}`;
}

/** An amount of an answer in ISO minor units. Undefined where there is none, `unreadable` where it is none of this currency. */
export function readAmount(
  value: unknown,
  unit: 'major' | 'minor',
  currency: string,
  digits: Digits,
): bigint | 'unreadable' | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return 'unreadable';
  // A number beyond this was rounded by the parser of JSON already.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return 'unreadable';
  const text = String(value).trim();
  if (text.length > MAX_LENGTH) return 'unreadable';
  const [, whole = '', fraction = ''] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text) ?? [];
  if (whole === '') return 'unreadable';
  const { iso, gateway } = digitsOf(currency, digits);
  // Some write more zeros than the currency has digits. They change nothing.
  const places = unit === 'minor' ? 0 : gateway;
  if (/[1-9]/.test(fraction.slice(places))) return 'unreadable';
  const units = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
  if (iso >= gateway) return units * 10n ** BigInt(iso - gateway);
  const factor = 10n ** BigInt(gateway - iso);
  return units % factor === 0n ? units / factor : 'unreadable';
}
