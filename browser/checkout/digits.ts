/** Keeps ASCII digits only. Digits of other scripts are converted first. */
export function digitsOf(text: string): string {
  return inAscii(text).replace(/[^0-9]/g, '');
}

/** The text with its digits in ASCII, and without marks that nobody sees. */
export function inAscii(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, asciiDigit);
}

/** The digits with a space at each of the positions in `gaps`. */
export function grouped(digits: string, gaps: readonly number[]): string {
  return [...digits].map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join('');
}

/** Whether a telephone number has as many digits as one can have; written as people write it, with or without a country code. */
export function isPhone(text: string): boolean {
  const ascii = inAscii(text);
  const { length } = digitsOf(ascii);
  return length >= 6 && length <= 15 && !/[^0-9\s+().\-–/]/.test(ascii);
}

/** In Unicode, the digits of a script are ten consecutive code points that begin with its zero. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--;
  return String(code - zero);
}
