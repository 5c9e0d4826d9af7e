import { RE2JS } from 're2js';

/** No known condition needs a longer expression, and every answer would pay for it. */
const MAX_LENGTH = 500;

/** Why a text cannot be used as a pattern. */
export type PatternFault = 'is not a regular expression' | 'is longer than 500 signs' | typeof NOT_LINEAR;

const NOT_LINEAR =
  'is a regular expression that linear time does not allow: no look-around, no back-reference, at most 1000 repetitions';

/**
 * A regular expression from a profile, run by an engine that never backtracks. The matching time grows only linearly
 * with the text, so nobody who controls the gateway's answers can stall the service. It supports the syntax that
 * ECMAScript (with `u`) and RE2 share. The dot matches everything but a line feed, and `\s` matches ASCII whitespace.
 *
 * @returns a function that says whether a text matches, or what is wrong with the expression.
 */
export function linearPattern(expression: string): ((text: string) => boolean) | PatternFault {
  if (expression.length > MAX_LENGTH) return 'is longer than 500 signs';
  try {
    // Never executed. It tells a syntax error from syntax that the other engine lacks.
    void new RegExp(expression, 'u');
  } catch {
    return 'is not a regular expression';
  }
  // The engine reads `\k`, a named back-reference, as a plain letter.
  if (expression.replaceAll('\\\\', '').includes('\\k')) return NOT_LINEAR;
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(expression));
    return (text) => pattern.test(text);
  } catch {
    return NOT_LINEAR;
  }
}
