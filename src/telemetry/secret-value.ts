import { isIn, isQuote, isSpace, setOf } from './text-signs.js';

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
