import { mayHoldCardDigits } from '../telemetry/card-digits.js';
import { scrub } from '../telemetry/scrub.js';
import { asciiDigits } from './ascii-digits.js';
import { cardBrand, hasCheckDigit } from './card-brand.js';

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** What may stand between two groups of one number: blanks and dashes, typographic ones too. */
const GAP = /^[\p{Zs}\t\p{Pd}\u2212]{0,2}$/u;

const ASCII = /^[\0-\x7f]*$/;

/**
 * Whether a text holds a card number: 13 to 19 digits, alone or in groups that blanks or dashes separate, with the prefix and a length
 * of one brand and a valid check digit. A UUID or a trace id, which may have many digits by chance, is none.
 */
export function holdsCardNumber(text: string): boolean {
  // Digits of full width and of other scripts are read as what they show.
  const plain = ASCII.test(text) ? text : asciiDigits(text.normalize('NFKC'));
  if (!mayHoldCardDigits(plain) || scrub(plain) === plain) return false;
  const groups = [...plain.matchAll(/[0-9]+/g)];
  return groups.some((_, first) => beginsCard(plain, groups, first));
}

/** Whether this group, alone or with those that follow it closely, is a card number. */
function beginsCard(text: string, groups: readonly RegExpExecArray[], first: number): boolean {
  let number = '';
  let end: number | undefined;
  for (let at = first; at < groups.length && number.length <= MAX_DIGITS; at++) {
    const { 0: digits, index } = groups[at] as RegExpExecArray;
    if (end !== undefined && !GAP.test(text.slice(end, index))) return false;
    number += digits;
    end = index + digits.length;
    if (number.length >= MIN_DIGITS && isKnownCard(number)) return true;
  }
  return false;
}

function isKnownCard(number: string): boolean {
  return (
    number.length <= MAX_DIGITS && cardBrand(number).lengths.includes(number.length) && hasCheckDigit(number)
  );
}
