/** Shorter values occur inside other words and numbers, so they count only as whole words. */
const LONG_ENOUGH = 8;

const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u;

const isWordSign = (sign: string | undefined): boolean => sign !== undefined && LETTER_OR_DIGIT.test(sign);

/**
 * Whether a value counts anywhere in a text, and not only as a whole word. A card number does; a surname may be part of
 * another word.
 */
export function countsAnywhere(value: string): boolean {
  return value.length >= LONG_ENOUGH;
}

/**
 * The index of a value in a text, from `from` on; -1 if it is not there. A long value is found anywhere, a short one
 * only as a whole word, so that `Obi` is not found in `mobile` nor `111` in `1115543`. Both must be in the same case.
 */
export function placeOf(value: string, text: string, from = 0): number {
  const anywhere = countsAnywhere(value);
  for (let at = text.indexOf(value, from); at >= 0; at = text.indexOf(value, at + 1)) {
    if (anywhere) return at;
    const joined =
      (isWordSign(value[0]) && isWordSign(text[at - 1])) ||
      (isWordSign(value.at(-1)) && isWordSign(text[at + value.length]));
    if (!joined) return at;
  }
  return -1;
}
