import type { ValidationOptions } from 'class-validator';
import { rememberPassed } from './remembered-test.js';
import { textRule } from './text-rule.js';

/** Longer tags can be well-formed, but no real language needs one. */
const MAX_LENGTH = 35;

const isLanguageTag = rememberPassed((text) => {
  if (text.length > MAX_LENGTH) return false;
  try {
    return new Intl.Locale(text).language !== '';
  } catch {
    return false;
  }
});

/** A language by its BCP 47 tag (`en-NG`), as browsers report it; at most 35 characters. */
export const IsLanguageTag = (options?: ValidationOptions): PropertyDecorator =>
  textRule('isLanguageTag', 'must be a BCP 47 language tag', isLanguageTag, options);
