import { domainToASCII } from 'node:url';
import 'reflect-metadata';
import { asciiDigits } from '../../card-numbers/ascii-digits.js';

/** Text as people type and paste it, and as shops pass it on. Everything here is pure. */

/** Blanks and what breaks a line or controls a terminal. */
const BLANKS_AND_CONTROLS = /[ \p{Cc}\u2028\u2029]+/gu;

/** Marks that show nothing: directions, variations, halves of characters. Two of them join letters and emoji, and stay there. */
const INVISIBLE = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}|\p{Cs}/gu;
const NEEDLESS_JOINER =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu;

/** What most texts are, and needs nothing done. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

/** A text on one line: controls become one blank, invisible marks vanish, ends are trimmed. */
export function oneLine(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(BLANKS_AND_CONTROLS, (run) => (/[^ ]/.test(run) ? ' ' : run))
    .replace(INVISIBLE, '')
    .replace(NEEDLESS_JOINER, '')
    .trim();
}

/** Whether a text has so many characters at most; an emoji is one, though JavaScript counts two. */
export function isWithin(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}

/** What people write between the digits of a telephone number. */
const BETWEEN_DIGITS = /[\p{Zs}\p{Pd}\u2212.·/()[\]]/gu;

/** A telephone number as its digits, with the `+` before them if it had one. What is none stays as it is. */
export function typedPhone(text: string): string {
  const typed = oneLine(text).replace('\uff0b', '+').replace(BETWEEN_DIGITS, '');
  const digits = asciiDigits(typed);
  return /^\+?[0-9]+$/.test(digits) ? digits : typed;
}

/** A longer one is none, and is not worth the work. */
const MAX_DOMAIN = 253;

/** An e-mail address with its domain in ASCII. */
export function typedEmail(text: string): string {
  const typed = oneLine(text);
  const at = typed.lastIndexOf('@');
  const domain = typed.slice(at + 1);
  if (at < 0 || domain.length > MAX_DOMAIN || !/[^\p{ASCII}]/u.test(domain)) return typed;
  return `${typed.slice(0, at)}@${domainToASCII(domain)}`;
}

/** The values of a flat object, each on one line. */
export function typedValues(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, typeof item === 'string' ? oneLine(item) : item]),
  );
}

const AS_TYPED = 'tillfront:as-typed';

/** Reads a member as people type it before its rules are tested. An empty text is one that was left out. */
export function AsTyped(read: (text: string) => string): PropertyDecorator {
  return ReadAs((value) => (typeof value === 'string' ? read(value) || undefined : value));
}

/** Reads a member's value in this way before its rules are tested. */
export function ReadAs(read: (value: unknown) => unknown): PropertyDecorator {
  return (target, property) => {
    Reflect.defineMetadata(AS_TYPED, read, target, property);
  };
}

/** How a member of a DTO class is read; undefined where it is taken as it comes. */
export function readingOf(
  type: { readonly prototype: object },
  property: string,
): ((value: unknown) => unknown) | undefined {
  return Reflect.getMetadata(AS_TYPED, type.prototype, property) as ((value: unknown) => unknown) | undefined;
}
