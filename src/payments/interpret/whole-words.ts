/** Shorter values occur inside other words and numbers; they count only where they stand alone. */
const LONG_ENOUGH = 8;

const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u;

const isWordSign = (sign: string | undefined): boolean => sign !== undefined && LETTER_OR_DIGIT.test(sign);

/** Whether a value counts wherever it stands, and not only as a whole word: a surname is part of other words, a card number is not. */
export function countsAnywhere(value: string): boolean {
  return value.length >= LONG_ENOUGH;
}

/**
 * Where a value stands in a text, from a place on: anywhere if it is long, else as a whole word, so that `Obi` is not found in
 * `mobile` and `111` not in `1115543`; -1 if nowhere. Both must be in one case.
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
