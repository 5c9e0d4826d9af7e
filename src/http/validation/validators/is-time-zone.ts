import type { ValidationOptions } from 'class-validator';
import { rememberPassed } from './remembered-test.js';
import { textRule } from './text-rule.js';

/** The form of IANA names. `Intl` would also accept offsets such as `+01:00`. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

const isTimeZone = rememberPassed((text) => {
  if (!NAME.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
});

/** A time zone by its IANA name (`Africa/Lagos`). */
export const IsTimeZone = (options?: ValidationOptions): PropertyDecorator =>
  textRule('isTimeZone', 'must be an IANA time zone', isTimeZone, options);
