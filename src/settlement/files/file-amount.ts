import { minorDigits } from '../../money/money.js';

/** An amount as a file names it. Without a currency nobody knows how many minor units it is. */
export interface FileAmount {
  /** All its digits. */
  readonly digits: bigint;
  /** How many of them stand after the point; null: it counts minor units. */
  readonly decimals: number | null;
}

const MINOR = /^[0-9]{1,15}$/;
const MAJOR = {
  '.': /^([0-9]{1,12})(?:\.([0-9]{1,6}))?$/,
  ',': /^([0-9]{1,12})(?:,([0-9]{1,6}))?$/,
} as const;

/** Reads an amount. Undefined for a sign, for groups of thousands, and for anything else that is not a plain number. */
export function readAmount(
  text: string,
  { amountUnit, decimal }: { amountUnit: 'major' | 'minor'; decimal: '.' | ',' },
): FileAmount | undefined {
  if (amountUnit === 'minor') return MINOR.test(text) ? { digits: BigInt(text), decimals: null } : undefined;
  const match = MAJOR[decimal].exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  return { digits: BigInt(whole + fraction), decimals: fraction.length };
}

/** The amount in minor units of a currency; undefined for an unknown one, and where it is not a whole number of them. */
export function minorOf({ digits, decimals }: FileAmount, currency: string): bigint | undefined {
  const places = minorDigits(currency);
  if (places === undefined) return undefined;
  if (decimals === null) return digits;
  if (decimals <= places) return digits * 10n ** BigInt(places - decimals);
  const surplus = 10n ** BigInt(decimals - places);
  return digits % surplus === 0n ? digits / surplus : undefined;
}
