import { cardBrand, hasCheckDigit, isCardNumber } from '../http/validation/validators/card-brand.js';
import { scrub } from '../telemetry/scrub.js';

/** No brand issues shorter ones today, and articles' numbers (EAN) and times in milliseconds have 13 digits. */
const MIN_DIGITS = 14;
const MAX_DIGITS = 19;

/** What may stand between two groups of one number. */
const GAP = /^[\s\p{Pd}+._/\u2212]{0,2}$/u;

/**
 * Whether a text holds a card number: 14 to 19 digits of a known brand with a valid check digit, in groups or not. What the log's
 * scrubber would leave as it is (a UUID, a trace id) is none.
 */
export function holdsCardNumber(text: string): boolean {
  if (scrub(text) === text) return false;
  const groups = [...text.matchAll(/[0-9]+/g)];
  return groups.some((_, first) => beginsCard(text, groups.slice(first)));
}

/** Whether the first of these groups, alone or with those that follow it closely, is a card number. */
function beginsCard(text: string, groups: readonly RegExpExecArray[]): boolean {
  let number = '';
  let end: number | undefined;
  for (const { 0: digits, index } of groups) {
    if (end !== undefined && !GAP.test(text.slice(end, index))) return false;
    number += digits;
    end = index + digits.length;
    if (number.length > MAX_DIGITS) return false;
    if (number.length >= MIN_DIGITS && isKnownCard(number)) return true;
  }
  return false;
}

const isKnownCard = (number: string): boolean =>
  isCardNumber(number) && hasCheckDigit(number) && cardBrand(number).name !== 'unknown';
