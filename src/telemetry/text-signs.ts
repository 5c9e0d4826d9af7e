/** Small looks at the signs of a text, each linear in what it passes over. */

/** The place 0 of a set, whose sign no text of interest has, says that the set holds every kind of blank. */
const HOLDS_SPACES = 0;

/** A set of signs of ASCII, as a table: these, and maybe all blanks, or all letters and digits. */
export function setOf(signs: string, spaces = false, lettersAndDigits = false): Uint8Array {
  const set = new Uint8Array(128);
  for (const sign of signs) set[sign.charCodeAt(0)] = 1;
  if (spaces) for (let code = 1; code < 128; code++) if (isSpace(code)) set[code] = 1;
  if (spaces) set[HOLDS_SPACES] = 1;
  if (lettersAndDigits)
    for (let code = 1; code < 128; code++) if (isWordSign(code) && code !== 0x5f) set[code] = 1;
  return set;
}

/** Whether a set holds a sign. */
export function isIn(set: Uint8Array, code: number): boolean {
  if (code >= 128) return set[HOLDS_SPACES] === 1 && isSpace(code);
  return code !== 0 && set[code] === 1;
}

/** Where the signs end, from a place on, that are not in a set; with `within`, those that are. */
export function runEnd(text: string, from: number, set: Uint8Array, within = false): number {
  let at = from;
  while (at < text.length && isIn(set, text.charCodeAt(at)) === within) at++;
  return at;
}

/** A blank of any kind, as `\s` of a regular expression has it. */
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

/** A letter, a digit or an underscore of ASCII. */
export function isWordSign(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f
  );
}

export const isQuote = (code: number): boolean => code === 0x22 || code === 0x27;

/** The first place from here on that is no blank. */
export function pastSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The end of what stands before the blanks that end here. */
export function spacesBefore(text: string, end: number): number {
  let at = end;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Whether a word in small letters stands right before a place, in whatever case. */
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
