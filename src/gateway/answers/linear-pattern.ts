import { RE2JS } from 're2js';

/** No known condition needs a longer expression, and a longer one would cost at each answer. */
const MAX_LENGTH = 500;

/** Why a text is no pattern. */
export type PatternFault = 'is not a regular expression' | 'is longer than 500 signs' | typeof NOT_LINEAR;

const NOT_LINEAR =
  'is a regular expression that linear time does not allow: no look-around, no back-reference, at most 1000 repetitions';

/**
 * A regular expression of a profile, run by an engine that never goes back over what it read: whoever writes the gateway's
 * answers cannot make one take longer than its length. It has the forms that ECMAScript (with `u`) and RE2 share; the dot
 * matches all but a line feed, and `\s` the blanks of ASCII.
 *
 * @returns whether a text has a match; or what is wrong with the expression.
 */
export function linearPattern(expression: string): ((text: string) => boolean) | PatternFault {
  if (expression.length > MAX_LENGTH) return 'is longer than 500 signs';
  try {
    // Never run: it only tells a misspelt expression from one that the other engine does not have.
    void new RegExp(expression, 'u');
  } catch {
    return 'is not a regular expression';
  }
  // The engine reads `\k`, a back-reference by name, as the letter.
  if (expression.replaceAll('\\\\', '').includes('\\k')) return NOT_LINEAR;
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(expression));
    return (text) => pattern.test(text);
  } catch {
    return NOT_LINEAR;
  }
}
