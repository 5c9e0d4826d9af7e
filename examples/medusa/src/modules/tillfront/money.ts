import type { BigNumberInput } from '@medusajs/framework/types';
import { MathBN } from '@medusajs/framework/utils';

/**
 * Tillfront's form of an amount: a decimal text with no more digits than the currency has. Medusa reckons taxes and discounts with
 * more digits. What is paid is rounded half up, as Medusa rounds where it compares amounts.
 */
export function asDecimal(amount: BigNumberInput, currency: string): string {
  const options = { style: 'currency', currency } as const;
  const digits = new Intl.NumberFormat('en', options).resolvedOptions().maximumFractionDigits ?? 2;
  return MathBN.convert(amount).toFixed(digits);
}
