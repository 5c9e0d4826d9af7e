import type { ValidationOptions } from 'class-validator';
import { textRule } from './text-rule.js';

/** RFC 5321 limits: 64 characters before the @, 254 in all. */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** A dot-atom of RFC 5322. Quoted forms and comments exist in theory only. */
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/**
 * At least two labels. The last one begins with a letter, so an IP address is refused. International names are written as
 * `xn--…`.
 */
const DOMAIN =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Whether a text has the form of a deliverable address. This is what gateways and mail servers accept, which is less than
 * RFC 5322 allows.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const at = text.indexOf('@');
  return at > 0 && at <= MAX_LOCAL_LENGTH && LOCAL.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1));
}

/** An e-mail address in ASCII, at most 254 characters. */
export const IsEmailAddress = (options?: ValidationOptions): PropertyDecorator =>
  textRule('isEmailAddress', 'must be an e-mail address', isEmailAddress, options);
