import type { ValidationOptions } from 'class-validator';
import { textRule } from './text-rule.js';

/**
 * Control characters, line and paragraph separators, and the characters that turn or hide text on screens:
 * a name that reads differently than it is stored deceives whoever looks at the console.
 */
const UNFIT = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** Whether a text of one line is fit to be shown: not blank, at most `max` UTF-16 units, nothing invisible that deceives. */
export function isPlainText(text: string, max: number): boolean {
  return text.length <= max && text.trim() !== '' && text.isWellFormed() && !UNFIT.test(text);
}

/** One line of text for people: 1 to `max` characters, not only blanks, without control characters or bidirectional overrides. */
export const IsPlainText = (max: number, options?: ValidationOptions): PropertyDecorator =>
  textRule(
    'isPlainText',
    `must be a text of 1 to ${max} characters`,
    (text) => isPlainText(text, max),
    options,
  );
