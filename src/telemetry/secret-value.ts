import { isIn, isQuote, isSpace, setOf, WIDE_SPACES } from './text-signs.js';
import { mayEndSecretName } from './secret-names.js';

const NOT_BARE = setOf('"\',;&<>{}()[]\\', true);

/**
 * The position of a value in a text, without its quotes. Where there is none it is empty, and `start` is where that became
 * clear.
 */
export interface ValuePlace {
  readonly start: number;
  readonly end: number;
}

/**
 * The value after a colon, an equals sign or a comma: quoted, up to its own closing quote, or bare. Spaces and opening
 * brackets of lists and objects before it are skipped.
 */
export function valueAfter(text: string, from: number): ValuePlace {
  let at = from;
  while (at < text.length && isBeforeValue(text.charCodeAt(at))) at++;
  let opening = at;
  while (text.charCodeAt(opening) === 0x5c) opening++;
  if (isQuote(text.charCodeAt(opening)))
    return { start: opening + 1, end: quotedEnd(text, opening, opening - at) };
  if (opening > at) return { start: opening, end: opening };
  let end = at;
  while (end < text.length && !isIn(NOT_BARE, text.charCodeAt(end))) end++;
  return { start: at, end };
}

const isBeforeValue = (code: number): boolean =>
  code === 0x5b || code === 0x7b || code === 0x28 || isSpace(code);

/**
 * The position of the quote that closes a quoted value, with the backslashes before it. JSON within JSON escapes the inner
 * quotes with backslashes, doubled plus one at each level. So the closing quote has as many backslashes as the opening one,
 * after only whole pairs of that level. A quote with fewer backslashes closes a surrounding text.
 */
function quotedEnd(text: string, opening: number, backslashes: number): number {
  const quote = text.charCodeAt(opening);
  let run = 0;
  for (let at = opening + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) {
      run++;
      continue;
    }
    if (code === quote) {
      if (run < backslashes) return at - run;
      if ((run - backslashes) % (2 * (backslashes + 1)) === 0) return at - backslashes;
    }
    run = 0;
  }
  return text.length;
}

/** No rule begins at this character. */
export const NONE = 0;
export const DIGIT = 1;
const NAME_END = 2;
const SCHEME_END = 4;
const PREFIX_END = 8;
const SEGMENT_END = 16;
const ENTRY_END = 32;
const TOKEN_HEAD = 64;
const LABEL = 128;
const ANYWHERE = 256;

/**
 * By UTF-16 unit: the rule that examines the text around it. A table lookup saves several comparisons for each character of
 * each log line.
 */
export const rules = new Uint16Array(0x1_0000);
/** No other characters have a rule: nearly all of a table of all characters would be looked at for nothing at each start. */
const RULED = [...Array(128).keys(), ...WIDE_SPACES];
for (const code of RULED) if (isSpace(code)) rules[code] = SCHEME_END;
for (const [signs, rule] of [
  ['0123456789', DIGIT],
  [':=', NAME_END],
  ['+', SCHEME_END],
  ['_', PREFIX_END],
  ['/', SEGMENT_END],
  [',', ENTRY_END],
  ['J', TOKEN_HEAD],
  ['B', LABEL],
  ['%<@', ANYWHERE],
] as const) {
  for (const sign of signs) rules[sign.charCodeAt(0)] = rule;
}

/** By UTF-16 unit: the rules that may match right after this character. */
const behind = new Uint16Array(0x1_0000).fill(ANYWHERE);
const allow = (signs: string, rule: number): void => {
  for (const sign of signs) {
    const code = sign.charCodeAt(0);
    behind[code] = (behind[code] as number) | rule;
  }
};
for (const code of RULED) {
  const ends = isSpace(code) || isQuote(code) || mayEndSecretName(String.fromCharCode(code), 1);
  if (ends) behind[code] = (behind[code] as number) | NAME_END;
}
// For a name in brackets, `card[cvv]`, also with the bracket escaped in a URL.
allow(']dD', NAME_END);
allow('rRcC', SCHEME_END);
allow('tTcCeEdD', PREFIX_END);
allow('nNsS', SEGMENT_END);
allow('"\'', ENTRY_END);
allow('y', TOKEN_HEAD);
allow('-', LABEL);

/**
 * A quick check of the character before a rule's own. It costs next to nothing and rejects most candidates. At a colon
 * after a quote, as in every member of a JSON document, it also checks the end of the name.
 */
export function mayFollow(rule: number, text: string, at: number): boolean {
  // A position before the text would be outside the table.
  const before = at === 0 ? 0 : text.charCodeAt(at - 1);
  if (((behind[before] as number) & rule) === 0) return false;
  if (rule !== NAME_END && rule !== ENTRY_END) return true;
  return before === 0x22 ? mayEndSecretName(text, at - 1) : true;
}
