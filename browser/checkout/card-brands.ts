/** What a card form needs to know about a brand. */
export interface CardBrand {
  /** As the service calls it. */
  id: string;
  name: string;
  /** The numbers that begin so. */
  begins: RegExp;
  /** The lengths that its numbers may have. */
  lengths: readonly number[];
  /** The number of digits before each space. */
  gaps: readonly number[];
  securityCodeLength: number;
}

/** The first brand that matches is used. */
const BRANDS: readonly CardBrand[] = [
  // Four digits are enough to show early which fields a Verve card needs, until six decide.
  of(
    'verve',
    'Verve',
    /^(?:506099|5061(?!99)|5078(?:\d?$|6[5-9]|[7-9])|5079(?:\d?$|[0-5]|6[0-4])|6500(?:0[2-9]|1|2[0-7]))/,
    [16, 18, 19],
  ),
  { ...of('american-express', 'American Express', /^3[47]/, [15]), gaps: [4, 10], securityCodeLength: 4 },
  of('visa', 'Visa', /^4/, [13, 16, 18, 19]),
  of('mastercard', 'Mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]),
  of('discover', 'Discover', /^(?:6011|65|64[4-9])/, [16, 19]),
  of('unionpay', 'UnionPay', /^62/, [16, 17, 18, 19]),
];

/** Any other card. Nothing is known about it, so only what is impossible for every card is refused. */
export const OTHER_BRAND = of('other', '', /^/, [12, 13, 14, 15, 16, 17, 18, 19]);

/** The brand of a number that may be typed only in part. */
export function brandOf(digits: string): CardBrand {
  return BRANDS.find(({ begins }) => begins.test(digits)) ?? OTHER_BRAND;
}

/** Whether the number is complete and its check digit (Luhn) is valid. */
export function isCardNumber(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return brandOf(digits).lengths.includes(digits.length) && sum % 10 === 0;
}

/** The display name of a brand that the service names. */
export function brandName(word: string): string {
  return BRANDS.find(({ id }) => id === word)?.name ?? word;
}

function of(id: string, name: string, begins: RegExp, lengths: number[]): CardBrand {
  return { id, name, begins, lengths, gaps: [4, 8, 12, 16], securityCodeLength: 3 };
}
