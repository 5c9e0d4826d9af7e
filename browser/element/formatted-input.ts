/**
 * Groups the digits of a field while they are typed, pasted or filled in. The caret stays behind the same digit when spaces
 * appear or disappear. `format` gets what was typed, with whatever stands between its digits; after a deletion the digits
 * alone, because then separators are only what is left of the format.
 */
export function keepFormatted(input: HTMLInputElement, format: (text: string) => string): void {
  let previous = input.value;
  let previousCaret = 0;
  input.addEventListener('beforeinput', () => {
    previous = input.value;
    previousCaret = input.selectionStart ?? previous.length;
  });
  input.addEventListener('input', (event) => {
    // composed text, which some phone keyboards send, must not change while it is being composed
    if ((event as Partial<InputEvent>).isComposing === true) return;
    const caret = input.selectionStart ?? input.value.length;
    const deletion = (event as Partial<InputEvent>).inputType;
    const edited = withSeparatorDeleted(previous, previousCaret, { value: input.value, caret, deletion });
    const typed = (text: string): string => (deletion?.startsWith('delete') ? digitsOf(text) : text);
    const digitsBefore = digitsOf(format(typed(edited.value.slice(0, edited.caret)))).length;
    const formatted = format(typed(edited.value));
    input.value = formatted;
    const atEnd = edited.caret >= edited.value.length;
    const place = atEnd ? formatted.length : placeBehind(formatted, digitsBefore);
    // a field without the focus (filled in by the browser) must not take the selection
    if (input.matches(':focus')) input.setSelectionRange(place, place);
    previous = formatted;
  });
}

/** Keeps ASCII digits only. Digits of other scripts are converted first. */
export function digitsOf(text: string): string {
  return inAscii(text).replace(/[^0-9]/g, '');
}

function inAscii(text: string): string {
  return text.normalize('NFKC').replace(/\p{Nd}/gu, asciiDigit);
}

/** The digits with a space at each of the positions in `gaps`. */
export function grouped(digits: string, gaps: readonly number[]): string {
  let text = '';
  for (let index = 0; index < digits.length; index++) {
    if (gaps.includes(index)) text += ' ';
    text += digits[index] as string;
  }
  return text;
}

/**
 * `1230` → `12 / 30`. The year may have four digits, as browsers fill it in. A month of one digit gets its zero when it can be
 * no other (`5`), or when a separator ends it (`1/28`).
 */
export function expiryText(text: string): string {
  const [, month = '', rest = ''] = /^[^0-9]*([1-9])\s*[/.\\–-](.*)$/s.exec(inAscii(text)) ?? [];
  const digits = month === '' ? digitsOf(text) : `0${month}${digitsOf(rest)}`;
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  const year = padded.slice(2, 6);
  return year === '' ? padded.slice(0, 2) : `${padded.slice(0, 2)} / ${year}`;
}

interface Edit {
  value: string;
  caret: number;
  deletion: string | undefined;
}

/** Deleting only a separator would bring it right back, so the digit on its other side is deleted. */
function withSeparatorDeleted(
  previous: string,
  previousCaret: number,
  edit: Edit,
): { value: string; caret: number } {
  const { value, caret, deletion } = edit;
  const onlySeparators = value.length < previous.length && digitsOf(value) === digitsOf(previous);
  if (!onlySeparators || deletion === undefined) return { value, caret };
  if (deletion === 'deleteContentBackward' && previousCaret > 0) {
    const before = digitsOf(value.slice(0, caret)).slice(0, -1);
    return { value: before + digitsOf(value.slice(caret)), caret: before.length };
  }
  if (deletion === 'deleteContentForward') {
    const before = digitsOf(value.slice(0, caret));
    return { value: before + digitsOf(value.slice(caret)).slice(1), caret: before.length };
  }
  return { value, caret };
}

function placeBehind(formatted: string, digits: number): number {
  let seen = 0;
  for (let place = 0; place < formatted.length; place++) {
    if (seen === digits) return place;
    if (/[0-9]/.test(formatted[place] as string)) seen++;
  }
  return formatted.length;
}

/**
 * In Unicode, the digits of a script are ten consecutive code points that begin at a multiple of ten or six of their block.
 */
function asciiDigit(digit: string): string {
  if (digit >= '0' && digit <= '9') return digit;
  let zero = digit.codePointAt(0) as number;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && (digit.codePointAt(0) as number) - zero < 9)
    zero--;
  return String((digit.codePointAt(0) as number) - zero);
}
