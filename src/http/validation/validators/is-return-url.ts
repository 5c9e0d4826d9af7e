import type { ValidationOptions } from 'class-validator';
import { textRule } from './text-rule.js';

const MAX_LENGTH = 2_048;

/**
 * The complete form is required, because the URL parser repairs a lot: it accepts `https:evil.example`, turns backslashes
 * into slashes and drops tabs and line breaks.
 */
const ABSOLUTE = /^https?:\/\/[^\s\\\p{Cc}/?#@]+(?:[/?#][^\s\\\p{Cc}]*)?$/iu;

/**
 * Whether this is an absolute http or https address without credentials. It does not say whether payers may be sent there.
 */
export function isReturnUrl(text: string): boolean {
  if (text.length > MAX_LENGTH || !ABSOLUTE.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '' && url.hostname !== '';
}

/**
 * Whether payers may be sent to this address. Its origin, as the URL parser and every browser reads it, must equal one of
 * `origins` (canonical, as `new URL(x).origin` writes them). Never compare by prefix: `https://shop.example.evil.example`.
 */
export function isAllowedReturn(text: string, origins: readonly string[]): boolean {
  if (!isReturnUrl(text)) return false;
  const { origin } = new URL(text);
  return origin !== 'null' && origins.includes(origin);
}

/** An absolute http or https address without credentials, at most 2048 characters. */
export const IsReturnUrl = (options?: ValidationOptions): PropertyDecorator =>
  textRule('isReturnUrl', 'must be an absolute http or https address', isReturnUrl, options);
