export { formatAmount as money } from '../checkout/money.js';

/** A decimal amount, as a person types it. */
export const AMOUNT = String.raw`\s*\d{1,12}(\.\d{1,4})?\s*`;

/** One decimal amount less another of the same currency. Pure. */
export function minus(amount: string, taken: string): string {
  return total([amount, taken.startsWith('-') ? taken.slice(1) : `-${taken}`]);
}

/** The sum of decimal amounts of the same currency. Pure. */
export function total(amounts: readonly string[]): string {
  const digits = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  const sum = amounts.reduce((before, amount) => before + minor(amount, digits), 0n);
  const text = (sum < 0n ? -sum : sum).toString().padStart(digits + 1, '0');
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return `${sum < 0n ? '-' : ''}${decimal}`;
}

/** Whether a decimal amount is above zero. Pure. */
export function isPositive(amount: string): boolean {
  return !amount.startsWith('-') && /[1-9]/.test(amount);
}

function minor(amount: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}
