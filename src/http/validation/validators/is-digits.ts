import type { ValidationOptions } from 'class-validator';
import { textRule } from './text-rule.js';

/** A string of `min` to `max` ASCII digits. Digits of other scripts are refused. */
export function IsDigits(min: number, max: number, options?: ValidationOptions): PropertyDecorator {
  const pattern = new RegExp(`^[0-9]{${min},${max}}$`);
  const count = min === max ? String(min) : `${min} to ${max}`;
  return textRule('isDigits', `must be ${count} digits`, (text) => pattern.test(text), options);
}
