import type { ValidationOptions } from 'class-validator';
import { textRule } from './text-rule.js';

/**
 * Control characters, line and paragraph separators, and the characters that reorder or hide text on screens. A name that
 * looks different from what is stored deceives whoever reads the console.
 */
const UNFIT = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;

/**
 * Whether a line of text is fit to be shown: not blank, at most `max` UTF-16 units, and without invisible characters that
 * deceive.
 */
export function isPlainText(text: string, max: number): boolean {
  return text.length <= max && text.trim() !== '' && text.isWellFormed() && !UNFIT.test(text);
}

/** One line of text for people: 1 to `max` characters, not blank, without control characters or bidirectional overrides. */
export const IsPlainText = (max: number, options?: ValidationOptions): PropertyDecorator =>
  textRule(
    'isPlainText',
    `must be a text of 1 to ${max} characters`,
    (text) => isPlainText(text, max),
    options,
  );
