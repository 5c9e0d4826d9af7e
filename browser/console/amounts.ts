import { h } from '../element/dom.js';
import { formatAmount } from '../element/money.js';

/** An amount as people write it here. */
export function money(amount: string, currency: string): string {
  return formatAmount(amount, currency, navigator.language);
}

/** The same as an element that never breaks inside its digits, and shrinks where there is no room for it. */
export function sum(amount: string, currency: string): HTMLElement {
  const text = money(amount, currency);
  const element = h('bdi', { class: 'sum' }, text);
  element.style.setProperty('--length', String(text.length));
  return element;
}

/** What is left of a decimal amount. Both have the same currency; digits that one lacks are zeros. Pure. */
export function minus(amount: string, taken: string): string {
  const digits = Math.max(digitsOf(amount), digitsOf(taken));
  return decimal(minor(amount, digits) - minor(taken, digits), digits);
}

/** Pure. */
export function plus(one: string, other: string): string {
  const digits = Math.max(digitsOf(one), digitsOf(other));
  return decimal(minor(one, digits) + minor(other, digits), digits);
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
