import { mayEndSecretName } from './secret-names.js';
import { isQuote, isSpace } from './text-signs.js';

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
for (let code = 0; code < rules.length; code++) if (isSpace(code)) rules[code] = SCHEME_END;
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
for (let code = 0; code < behind.length; code++) {
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
