/** What a card form needs to know about a brand. */
export interface CardBrand {
  id: 'visa' | 'mastercard' | 'verve' | 'amex' | 'discover' | 'unionpay' | 'other';
  name: string;
  /** The lengths that its numbers may have. */
  lengths: readonly number[];
  /** The number of digits before each space. */
  gaps: readonly number[];
  securityCodeLength: number;
  /** Cards of this brand have a PIN that is typed when paying online. */
  hasPin: boolean;
}

const FOURS = [4, 8, 12, 16];

const VERVE: CardBrand = {
  id: 'verve',
  name: 'Verve',
  lengths: [16, 18, 19],
  gaps: FOURS,
  securityCodeLength: 3,
  hasPin: true,
};

/** The first brand whose ranges match is used. A range compares as many leading digits as its ends have. */
const BRANDS: readonly (CardBrand & { ranges: readonly (readonly [number, number])[] })[] = [
  {
    ...VERVE,
    ranges: [
      [506099, 506198],
      [507865, 507964],
      [650002, 650027],
    ],
  },
  {
    id: 'amex',
    name: 'American Express',
    lengths: [15],
    gaps: [4, 10],
    securityCodeLength: 4,
    hasPin: false,
    ranges: [
      [34, 34],
      [37, 37],
    ],
  },
  {
    id: 'visa',
    name: 'Visa',
    lengths: [13, 16, 18, 19],
    gaps: FOURS,
    securityCodeLength: 3,
    hasPin: false,
    ranges: [[4, 4]],
  },
  {
    id: 'mastercard',
    name: 'Mastercard',
    lengths: [16],
    gaps: FOURS,
    securityCodeLength: 3,
    hasPin: false,
    ranges: [
      [51, 55],
      [2221, 2720],
    ],
  },
  {
    id: 'discover',
    name: 'Discover',
    lengths: [16, 19],
    gaps: FOURS,
    securityCodeLength: 3,
    hasPin: false,
    ranges: [
      [6011, 6011],
      [644, 649],
      [65, 65],
    ],
  },
  {
    id: 'unionpay',
    name: 'UnionPay',
    lengths: [16, 17, 18, 19],
    gaps: FOURS,
    securityCodeLength: 3,
    hasPin: false,
    ranges: [[62, 62]],
  },
];

/** Any other card. Nothing is known about it, so only what is impossible for every card is refused. */
export const OTHER_BRAND: CardBrand = {
  id: 'other',
  name: '',
  lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  gaps: FOURS,
  securityCodeLength: 3,
  hasPin: false,
};

/** The brand of a number that may be typed only in part. */
export function brandOf(digits: string): CardBrand {
  for (const brand of BRANDS) if (brand.ranges.some((range) => isIn(digits, range))) return brand;
  // four digits are enough to show early which fields a Verve card needs
  return /^(5061|5078|5079)$|^(5061|5078|5079)\d$/.test(digits) ? VERVE : OTHER_BRAND;
}

function isIn(digits: string, [first, last]: readonly [number, number]): boolean {
  const length = String(first).length;
  if (digits.length < length) return false;
  const prefix = Number(digits.slice(0, length));
  return first <= prefix && prefix <= last;
}

/** Whether the number is complete and its check digit (Luhn) is valid. */
export function isCardNumber(digits: string): boolean {
  return brandOf(digits).lengths.includes(digits.length) && passesLuhn(digits);
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}

/** The display name of a brand that the service names. */
export function brandName(id: string | null): string {
  return BRANDS.find((brand) => brand.id === id?.replace('american-express', 'amex'))?.name ?? id ?? '';
}
