import type { BigNumberInput } from '@medusajs/framework/types';
import { MathBN } from '@medusajs/framework/utils';

/** Tillfront's form of an amount: a decimal text with the currency's digits. Throws where that would round it. */
export function asDecimal(amount: BigNumberInput, currency: string): string {
  const options = { style: 'currency', currency } as const;
  const digits = new Intl.NumberFormat('en', options).resolvedOptions().maximumFractionDigits ?? 2;
  const exact = MathBN.convert(amount);
  const text = exact.toFixed(digits);
  if (!MathBN.eq(exact, text)) throw new Error(`${exact.toString()} has more digits than ${currency} has`);
  return text;
}
