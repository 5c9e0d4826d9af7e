import type { ValidationOptions } from 'class-validator';
import { minorDigits } from '../../../money/money.js';
import { textRule } from './text-rule.js';

/** A currency by its ISO 4217 code of three capital letters (`NGN`). */
export const IsCurrency = (options?: ValidationOptions): PropertyDecorator =>
  textRule(
    'isCurrency',
    'must be a currency code of three capital letters',
    (text) => minorDigits(text) !== undefined,
    options,
  );
