const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;
const DIGIT = /^\p{Nd}$/u;

/** The text with the digits of every script as `0` to `9`. Pure. */
export function asciiDigits(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => String(valueOf(digit)));
}

/** Unicode has the digits of a script in a row from zero to nine, and such rows side by side. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--;
  return (code - first) % 10;
}
