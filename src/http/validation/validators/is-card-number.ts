import type { ValidationOptions } from 'class-validator';
import { isCardNumber } from './card-brand.js';
import { textRule } from './text-rule.js';

/** A card number: 12 to 19 ASCII digits without blanks, with a right check digit, as long as its brand's numbers are. */
export const IsCardNumber = (options?: ValidationOptions): PropertyDecorator =>
  textRule('isCardNumber', 'must be a card number', isCardNumber, options);
