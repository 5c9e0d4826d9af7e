import { asciiDigits } from './ascii-digits.js';
import { cardBrand, hasCheckDigit } from './card-brand.js';

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** Enough digits for a card number, with at most two blanks or dashes, typographic ones too, between two of them. */
const DIGITS = /[0-9](?:[\p{Zs}\t\p{Pd}\u2212]{0,2}[0-9]){12,}/gu;

/** The groups of a card, with any signs between them: four by four, or as American Express prints them. */
const GROUPS =
  /(?<![0-9])[0-9]{4}(?:[^\p{L}\p{N}]{1,3}[0-9]{4}){2,3}(?:[^\p{L}\p{N}]{1,3}[0-9]{1,4})?(?![0-9])|(?<![0-9])[0-9]{4}[^\p{L}\p{N}]{1,3}[0-9]{6}[^\p{L}\p{N}]{1,3}[0-9]{4,5}(?![0-9])/gu;

/** What needs no reading of other scripts. */
const ASCII = /^[\x20-\x7e]*$/;

/** A UUID, or 24 and more hexadecimal digits with a letter among them: ids and hashes have many digits by chance. */
const ID =
  /(?<![0-9a-f])(?=[0-9-]{0,35}[a-f])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,})(?![0-9a-f])/gi;

/**
 * Whether a text holds a card number: 13 to 19 digits, alone or in groups that blanks, dashes or other signs separate, with the
 * prefix and a length of one brand and a valid check digit.
 */
export function holdsCardNumber(text: string): boolean {
  // Digits of full width and of other scripts are read as what they show.
  const ascii = ASCII.test(text) ? text : asciiDigits(text.normalize('NFKC'));
  if (ascii.length < MIN_DIGITS || (ascii.search(DIGITS) === -1 && ascii.search(GROUPS) === -1)) return false;
  const plain = ascii.replace(ID, 'id');
  return [...plain.matchAll(DIGITS), ...plain.matchAll(GROUPS)].some(([run]) => {
    const groups = run.match(/[0-9]+/g) ?? [];
    return groups.some((_, first) => beginsCard(groups.slice(first)));
  });
}

/** Whether the first group, alone or with those that follow it, is a card number. */
function beginsCard(groups: readonly string[]): boolean {
  let number = '';
  for (const group of groups) {
    number += group;
    if (number.length > MAX_DIGITS) return false;
    if (number.length >= MIN_DIGITS && isKnownCard(number)) return true;
  }
  return false;
}

function isKnownCard(number: string): boolean {
  return cardBrand(number).lengths.includes(number.length) && hasCheckDigit(number);
}
