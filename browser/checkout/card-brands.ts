/** What a card form needs to know about a brand. */
export interface CardBrand {
  id: 'visa' | 'mastercard' | 'verve' | 'amex' | 'discover' | 'unionpay' | 'other';
  name: string;
  /** The lengths that its numbers may have. */
  lengths: readonly number[];
  /** The number of digits before each space. */
  gaps: readonly number[];
  securityCodeLength: number;
}

type Range = readonly [first: number, last: number];

const FOURS = [4, 8, 12, 16];

/** The first brand whose ranges match is used. A range compares as many leading digits as its ends have. */
const BRANDS: readonly [brand: CardBrand, ranges: readonly Range[]][] = [
  [
    of('verve', 'Verve', [16, 18, 19]),
    [
      [506099, 506198],
      [507865, 507964],
      [650002, 650027],
      // Four digits are enough to show early which fields a Verve card needs.
      [5061, 5061],
      [5078, 5079],
    ],
  ],
  [{ ...of('amex', 'American Express', [15], [4, 10]), securityCodeLength: 4 }, starting(34, 37)],
  [of('visa', 'Visa', [13, 16, 18, 19]), starting(4)],
  [
    of('mastercard', 'Mastercard', [16]),
    [
      [51, 55],
      [2221, 2720],
    ],
  ],
  [of('discover', 'Discover', [16, 19]), [...starting(6011, 65), [644, 649]]],
  [of('unionpay', 'UnionPay', [16, 17, 18, 19]), starting(62)],
];

/** Any other card. Nothing is known about it, so only what is impossible for every card is refused. */
export const OTHER_BRAND: CardBrand = of('other', '', [12, 13, 14, 15, 16, 17, 18, 19]);

/** The brand of a number that may be typed only in part. */
export function brandOf(digits: string): CardBrand {
  const [brand] = BRANDS.find(([, ranges]) => ranges.some((range) => isIn(digits, range))) ?? [];
  return brand ?? OTHER_BRAND;
}

/** Whether the number is complete and its check digit (Luhn) is valid. */
export function isCardNumber(digits: string): boolean {
  return brandOf(digits).lengths.includes(digits.length) && passesLuhn(digits);
}

/** The service's name of a brand. */
export function brandWord({ id }: CardBrand): string {
  return id === 'amex' ? 'american-express' : id;
}

/** The display name of a brand that the service names. */
export function brandName(word: string): string {
  return BRANDS.find(([brand]) => brandWord(brand) === word)?.[0].name ?? word;
}

function of(id: CardBrand['id'], name: string, lengths: number[], gaps: number[] = FOURS): CardBrand {
  return { id, name, lengths, gaps, securityCodeLength: 3 };
}

function starting(...prefixes: number[]): Range[] {
  return prefixes.map((prefix) => [prefix, prefix] as const);
}

function isIn(digits: string, [first, last]: Range): boolean {
  const { length } = String(first);
  // Six digits of another range decide against the four that show a brand early.
  if (digits.length < length || (length === 4 && first > 5000 && first < 6000 && digits.length > 5))
    return false;
  const prefix = Number(digits.slice(0, length));
  return first <= prefix && prefix <= last;
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}
