/** The names of what is printed on a card, or known to its holder, and may never be stored. */
const NAME =
  '(?:cvv2?|cvc2?|cvn2?|cvd2?|cav2|(?:card |card)?(?:security|verification)[ _-]?(?:code|value|number)|(?:card|atm)[ _-]?pin)';

/** What may stand between the name and its digits: signs, and up to two of the few words that lead to them. */
const BETWEEN = '[^\\p{L}\\p{N}]{0,3}(?:(?:is|was|code|number|no|nr|value|of)[^\\p{L}\\p{N}]{1,3}){0,2}';

/** Three or four digits that are no part of a longer number, an amount or a date. */
const DIGITS = '[0-9]{3,4}(?![\\p{L}\\p{N}])(?![-.,/:][0-9])';

const SECURITY_CODE = new RegExp(`(?<![\\p{L}\\p{N}])${NAME}${BETWEEN}${DIGITS}`, 'iu');

/** Whether a text names a card's security code or PIN together with its digits, as `cvv 123`. `cvv was wrong` names only the word. */
export function holdsSecurityCode(text: string): boolean {
  return SECURITY_CODE.test(text);
}
