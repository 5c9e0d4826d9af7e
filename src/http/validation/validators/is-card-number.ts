import { applyDecorators } from '@nestjs/common';
import type { ValidationOptions } from 'class-validator';
import { isCardNumber } from '../../../card-numbers/card-brand.js';
import { MayHoldCardNumber } from './may-hold-card-number.js';
import { textRule } from './text-rule.js';

/** A card number: 12 to 19 ASCII digits without spaces, with a valid check digit, in a length of its brand. Never store it. */
export const IsCardNumber = (options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(
    textRule('isCardNumber', 'must be a card number', isCardNumber, options),
    MayHoldCardNumber(),
  );
