import type { ValidationOptions } from 'class-validator';
import { isCardNumber } from './card-brand.js';
import { textRule } from './text-rule.js';

/** A card number: 12 to 19 ASCII digits without spaces, with a valid check digit, in a length of its brand. */
export const IsCardNumber = (options?: ValidationOptions): PropertyDecorator =>
  textRule('isCardNumber', 'must be a card number', isCardNumber, options);
