import type { ValidationOptions } from 'class-validator';
import { textRule } from './text-rule.js';

/**
 * Up to twelve digits before the point and up to four after it, because no currency has more. At least one digit is not
 * zero.
 */
const AMOUNT = /^(?=.*[1-9])(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,4})?$/;

/**
 * An amount above zero as a decimal string in major units (`"1500.00"`). The number of minor digits depends on the
 * currency, so the service that knows the currency makes that check.
 */
export const IsDecimalAmount = (options?: ValidationOptions): PropertyDecorator =>
  textRule(
    'isDecimalAmount',
    'must be a decimal string above zero, such as 1500.00',
    (text) => AMOUNT.test(text),
    options,
  );
