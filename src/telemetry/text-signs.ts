/** Small functions that examine the characters of a text. Each is linear in the characters that it passes. */

/** Position 0 of a set stands for all kinds of whitespace. No text of interest contains that character itself. */
const HOLDS_SPACES = 0;

/** A set of ASCII characters as a table: the given ones, and optionally all whitespace, or all letters and digits. */
export function setOf(signs: string, spaces = false, lettersAndDigits = false): Uint8Array {
  const set = new Uint8Array(128);
  for (const sign of signs) set[sign.charCodeAt(0)] = 1;
  if (spaces) for (let code = 1; code < 128; code++) if (isSpace(code)) set[code] = 1;
  if (spaces) set[HOLDS_SPACES] = 1;
  if (lettersAndDigits)
    for (let code = 1; code < 128; code++) if (isWordSign(code) && code !== 0x5f) set[code] = 1;
  return set;
}

/** Whether a set contains a character. */
export function isIn(set: Uint8Array, code: number): boolean {
  if (code >= 128) return set[HOLDS_SPACES] === 1 && isSpace(code);
  return code !== 0 && set[code] === 1;
}

/** Where the characters from a position on that are not in a set end. With `within`, where those in the set end. */
export function runEnd(text: string, from: number, set: Uint8Array, within = false): number {
  let at = from;
  while (at < text.length && isIn(set, text.charCodeAt(at)) === within) at++;
  return at;
}

/** All whitespace but the ASCII characters of it. */
export const WIDE_SPACES: readonly number[] = [
  ...[0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
];
const wideSpaces = new Uint8Array(0x1_0000);
for (const code of WIDE_SPACES) wideSpaces[code] = 1;

/** Whitespace of any kind, as `\s` in a regular expression matches it. */
export function isSpace(code: number): boolean {
  if (code < 128) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return wideSpaces[code] === 1;
}

/** An ASCII letter, digit or underscore. */
export function isWordSign(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f
  );
}

export const isQuote = (code: number): boolean => code === 0x22 || code === 0x27;

/** The first position from here on that is not whitespace. */
export function pastSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The end of the text before the whitespace that ends here. */
export function spacesBefore(text: string, end: number): number {
  let at = end;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Whether a word, given in lower case, stands right before a position, in any case. */
export function endsWithWord(text: string, end: number, word: string): boolean {
  let at = end - word.length;
  if (at < 0) return false;
  for (let each = 0; each < word.length; each++, at++) {
    const code = text.charCodeAt(at);
    const small = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    if (small !== word.charCodeAt(each)) return false;
  }
  return true;
}
