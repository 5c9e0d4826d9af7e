import { mayEndSecretName } from './secret-names.js';
import { isQuote, isSpace } from './text-signs.js';

/** What no rule begins at. */
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
 * By UTF-16 unit: which rule looks at the signs around this one. One place for each unit saves a comparison for each sign of each
 * line of the log.
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

/** By UTF-16 unit: behind which signs a rule may find something. */
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
// Of a name in brackets, `card[cvv]`, also as a URL writes the bracket.
allow(']dD', NAME_END);
allow('rRcC', SCHEME_END);
allow('tTcCeEdD', PREFIX_END);
allow('nNsS', SEGMENT_END);
allow('"\'', ENTRY_END);
allow('y', TOKEN_HEAD);
allow('-', LABEL);

/**
 * The first look of a rule, at the sign before its own: it costs next to nothing and ends most looks. At a colon behind a quote, as
 * each member of a document has one, it goes on to the end of the name.
 */
export function mayFollow(rule: number, text: string, at: number): boolean {
  // A place before the text would be none of the table's.
  const before = at === 0 ? 0 : text.charCodeAt(at - 1);
  if (((behind[before] as number) & rule) === 0) return false;
  if (rule !== NAME_END && rule !== ENTRY_END) return true;
  return before === 0x22 ? mayEndSecretName(text, at - 1) : true;
}
