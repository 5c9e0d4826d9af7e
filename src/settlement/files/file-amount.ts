import { minorDigits } from '../../money/money.js';

/** An amount as a file names it. Without a currency nobody knows how many minor units it is. */
export interface FileAmount {
  /** All its digits; below zero where the amount is. */
  readonly digits: bigint;
  /** How many of them stand after the point; null: it counts minor units. */
  readonly decimals: number | null;
}

/** How a file writes amounts. */
export interface AmountForm {
  readonly amountUnit: 'major' | 'minor';
  readonly decimal: '.' | ',';
  /** The character between groups of digits; a blank also stands for the blanks that do not break a line. */
  readonly thousands?: ',' | '.' | ' ' | "'" | undefined;
}

/** Reads an amount and its sign. Undefined for anything that is not a number of its form. */
export type AmountReader = (text: string) => FileAmount | undefined;

/** A sign, or brackets in place of a minus. */
const SIGNED = /^(?:([+\-\u2212]?)([0-9].*)|\(([0-9].*)\))$/;

/** Reads amounts of one form: up to 12 digits before the point and 6 after it, or up to 15 digits of minor units. */
export function amountReader({ amountUnit, decimal, thousands }: AmountForm): AmountReader {
  const isMinor = amountUnit === 'minor';
  const group = thousands && `[${thousands === ' ' ? ' \u00a0\u202f' : thousands}]`;
  const whole = [
    isMinor ? '[0-9]{1,15}' : '[0-9]{1,12}',
    // By threes, or as in India: 12,34,567.
    ...(group
      ? [`[0-9]{1,3}(?:${group}[0-9]{3}){1,4}`, `[0-9]{1,2}(?:${group}[0-9]{2}){1,4}${group}[0-9]{3}`]
      : []),
  ].join('|');
  const number = new RegExp(`^(${whole})${isMinor ? '' : `(?:[${decimal}]([0-9]{1,6}))?`}$`);
  const groups = group && new RegExp(group, 'g');
  return (text) => {
    const [, sign, plain, bracketed] = SIGNED.exec(text) ?? [];
    const [, before, fraction = ''] = number.exec(plain ?? bracketed ?? '') ?? [];
    if (before === undefined) return undefined;
    const digits = BigInt((groups ? before.replace(groups, '') : before) + fraction);
    const isBelowZero = bracketed !== undefined || sign === '-' || sign === '\u2212';
    return { digits: isBelowZero ? -digits : digits, decimals: isMinor ? null : fraction.length };
  };
}

/**
 * The amount in minor units of a currency; undefined for an unknown one, and where it is not a whole number of them. `1.500` of a
 * currency with two digits is undefined, too: it may be fifteen hundred.
 */
export function minorOf({ digits, decimals }: FileAmount, currency: string): bigint | undefined {
  const places = minorDigits(currency);
  if (places === undefined) return undefined;
  if (decimals === null) return digits;
  if (decimals <= places) return digits * 10n ** BigInt(places - decimals);
  if (decimals === 3 && mayBeGrouped(digits < 0n ? -digits : digits)) return undefined;
  const surplus = 10n ** BigInt(decimals - places);
  return digits % surplus === 0n ? digits / surplus : undefined;
}

/** Whether digits with three decimals look like one group of thousands. */
function mayBeGrouped(digits: bigint): boolean {
  return digits >= 1_000n && digits < 1_000_000n;
}

/** The same amount with the other sign. */
export function negated({ digits, decimals }: FileAmount): FileAmount {
  return { digits: -digits, decimals };
}

/** The same amount above zero. */
export function magnitude(amount: FileAmount): FileAmount {
  return amount.digits < 0n ? negated(amount) : amount;
}
