import { digitsOf } from './digits.js';

/** What a field held before its latest change. */
export interface Before {
  value: string;
  caret: number;
}

/**
 * Groups the digits of a field after a change by `format`. The caret stays behind the same digit when spaces appear or
 * disappear. `format` gets what was typed, with whatever stands between its digits; after a deletion the digits alone, because
 * then separators are only what is left of the format.
 */
export function reformat(
  input: HTMLInputElement,
  { inputType = '', isComposing = false }: Partial<InputEvent>,
  format: (text: string) => string,
  before: Before,
): void {
  // Composed text, which some phone keyboards send, must not change while it is being composed.
  if (isComposing) return;
  const caret = input.selectionStart ?? input.value.length;
  const edited = withSeparatorDeleted(before, { value: input.value, caret }, inputType);
  const typed = (text: string): string => (inputType.startsWith('delete') ? digitsOf(text) : text);
  const digitsBefore = digitsOf(format(typed(edited.value.slice(0, edited.caret)))).length;
  const formatted = format(typed(edited.value));
  if (formatted !== input.value) input.value = formatted;
  const atEnd = edited.caret >= edited.value.length;
  const place = atEnd ? formatted.length : placeBehind(formatted, digitsBefore);
  // A field without the focus (filled in by the browser) must not take the selection.
  if (input.matches(':focus')) input.setSelectionRange(place, place);
}

/** Deleting only a separator would bring it right back, so the digit on its other side is deleted. */
function withSeparatorDeleted(before: Before, edit: Before, inputType: string): Before {
  const { value, caret } = edit;
  const isSeparator = value.length < before.value.length && digitsOf(value) === digitsOf(before.value);
  if (!isSeparator) return edit;
  const [left, right] = [digitsOf(value.slice(0, caret)), digitsOf(value.slice(caret))];
  if (inputType === 'deleteContentBackward' && before.caret > 0)
    return { value: left.slice(0, -1) + right, caret: Math.max(0, left.length - 1) };
  if (inputType === 'deleteContentForward') return { value: left + right.slice(1), caret: left.length };
  return edit;
}

function placeBehind(formatted: string, digits: number): number {
  let seen = 0;
  for (let place = 0; place < formatted.length; place++) {
    if (seen === digits) return place;
    if (/[0-9]/.test(formatted[place] as string)) seen++;
  }
  return formatted.length;
}
