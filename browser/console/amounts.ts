import { formatAmount } from '../checkout/money.js';

/** `"1500.00"`, `NGN` → `₦1,500.00`, in the reader's own format. */
export function money(amount: string, currency: string): string {
  return formatAmount(amount, currency);
}

/** One decimal amount less another of the same currency. Pure. */
export function minus(amount: string, taken: string): string {
  const digits = Math.max(digitsOf(amount), digitsOf(taken));
  return decimal(minor(amount, digits) - minor(taken, digits), digits);
}

/** The sum of decimal amounts of the same currency. Pure. */
export function total(amounts: readonly string[]): string {
  const digits = Math.max(0, ...amounts.map(digitsOf));
  return decimal(
    amounts.reduce((sum, amount) => sum + minor(amount, digits), 0n),
    digits,
  );
}

/** Whether a decimal amount is above zero. Pure. */
export function isPositive(amount: string): boolean {
  return minor(amount, digitsOf(amount)) > 0n;
}

/** What a person typed, if it is a decimal amount. Pure. */
export function typedAmount(text: string): string | undefined {
  const trimmed = text.trim();
  return /^\d{1,12}(?:\.\d{1,4})?$/.test(trimmed) ? trimmed : undefined;
}

function digitsOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

function minor(amount: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

function decimal(value: bigint, digits: number): string {
  const sign = value < 0n ? '-' : '';
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  return sign + (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`);
}
