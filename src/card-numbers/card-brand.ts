import creditCardType from 'credit-card-type';

/** What decides the rules for a card number. */
export interface CardBrand {
  /**
   * The brand in lower case with dashes: `verve`, `visa`, `mastercard`, `american-express`, …; `unknown` where none
   * matches.
   */
  readonly name: string;
  /** How many digits the security code has. */
  readonly securityCodeDigits: number;
  /** The lengths that a number of this brand may have. Empty where they are not known. */
  readonly lengths: readonly number[];
}

/** Ranges by the first six digits, both ends included. Lists made outside Nigeria know only a part of them. */
const VERVE_RANGES: readonly (readonly [number, number])[] = [
  [506099, 506198],
  [507865, 507964],
  [650002, 650027],
];

const VERVE: CardBrand = { name: 'verve', securityCodeDigits: 3, lengths: [16, 18, 19] };

const UNKNOWN: CardBrand = { name: 'unknown', securityCodeDigits: 3, lengths: [] };

/** Some of these cards have no check digit. */
const WITHOUT_CHECK_DIGIT = 'unionpay';

/** No payment card's number begins with 0 (ISO/IEC 7812), and a number of only zeros would pass the check digit. */
const CARD_NUMBER = /^[1-9][0-9]{11,18}$/;

/** Six digits are enough to tell every brand's range, and fewer would not identify an issuer. */
const ISSUER_DIGITS = 8;

/**
 * A look-up takes 10 µs, and a shop sees the same issuers again and again. Only issuer prefixes are kept, never a card
 * number.
 */
const MAX_REMEMBERED = 2_000;
const remembered = new Map<string, CardBrand>();

/** The brand of a complete card number. */
export function cardBrand(number: string): CardBrand {
  const issuer = number.slice(0, ISSUER_DIGITS);
  let brand = remembered.get(issuer);
  if (!brand) {
    brand = lookUp(issuer);
    if (remembered.size < MAX_REMEMBERED) remembered.set(issuer, brand);
  }
  return brand;
}

/**
 * Whether this can be a card number: 12 to 19 ASCII digits with a valid check digit (Luhn), in a length of its brand. A
 * number of an unknown brand passes with any of these lengths: new brands appear, and the gateway knows them.
 */
export function isCardNumber(text: string): boolean {
  if (!CARD_NUMBER.test(text)) return false;
  const { name, lengths } = cardBrand(text);
  if (lengths.length > 0 && !lengths.includes(text.length)) return false;
  return name === WITHOUT_CHECK_DIGIT || hasCheckDigit(text);
}

function lookUp(issuer: string): CardBrand {
  const prefix = Number(issuer.slice(0, 6));
  if (VERVE_RANGES.some(([first, last]) => prefix >= first && prefix <= last)) return VERVE;
  const [brand, ...others] = creditCardType(issuer);
  if (brand === undefined || others.length > 0) return UNKNOWN;
  return { name: brand.type, securityCodeDigits: brand.code.size, lengths: brand.lengths };
}

/** The Luhn check: from the right, every second digit is doubled and its digits are added up. */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, double = false; at >= 0; at--, double = !double) {
    const digit = digits.charCodeAt(at) - 0x30;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}
