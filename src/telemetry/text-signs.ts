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

/** Whitespace of any kind, as `\s` in a regular expression matches it. */
export function isSpace(code: number): boolean {
  if (code < 128) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return (
    code === 0xa0 ||
    code === 0xfeff ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
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
