import type { ValidationOptions } from 'class-validator';
import { textRule } from './text-rule.js';

/** No number in this API has more digits. */
const WHOLE = /^(?:0|[1-9][0-9]{0,8})$/;

/** A whole number from `min` to `max` in a query parameter: a string of ASCII digits without leading zeros. */
export const IsIntegerText = (min: number, max: number, options?: ValidationOptions): PropertyDecorator =>
  textRule(
    'isIntegerText',
    `must be a whole number from ${min} to ${max}`,
    (text) => WHOLE.test(text) && Number(text) >= min && Number(text) <= max,
    options,
  );
