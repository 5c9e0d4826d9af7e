/** Signs of several currencies: "$" alone does not say whose dollars. */
const SHARED_SIGN = /[$£¥₩₱¤]/;

/** `"1500.00"`, `NGN` → `₦1,500.00`: exactly the digits of the amount, in the reader's own format. */
export function money(amount: string, currency: string): string {
  const digits = digitsOf(amount);
  const style = { style: 'currency', currency, minimumFractionDigits: digits } as const;
  const format = (currencyDisplay: 'symbol' | 'narrowSymbol'): string =>
    new Intl.NumberFormat(undefined, { ...style, maximumFractionDigits: digits, currencyDisplay })
      // A decimal string is formatted exactly; a number would be rounded to binary first.
      .format(amount as Intl.StringNumericLiteral);
  const narrow = format('narrowSymbol');
  return /\p{Sc}/u.test(narrow) && !SHARED_SIGN.test(narrow) ? narrow : format('symbol');
}

/** One decimal amount less another of the same currency. Pure. */
export function minus(amount: string, taken: string): string {
  const digits = Math.max(digitsOf(amount), digitsOf(taken));
  return decimal(minor(amount, digits) - minor(taken, digits), digits);
}

/** The sum of decimal amounts of the same currency. Pure. */
export function total(amounts: readonly string[]): string {
  const digits = Math.max(0, ...amounts.map(digitsOf));
  return decimal(
    amounts.reduce((sum, amount) => sum + minor(amount, digits), 0n),
    digits,
  );
}

/** Whether a decimal amount is above zero. Pure. */
export function isPositive(amount: string): boolean {
  return minor(amount, digitsOf(amount)) > 0n;
}

/** What a person typed, if it is a decimal amount. Pure. */
export function typedAmount(text: string): string | undefined {
  const trimmed = text.trim();
  return /^\d{1,12}(?:\.\d{1,4})?$/.test(trimmed) ? trimmed : undefined;
}

function digitsOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

function minor(amount: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

function decimal(value: bigint, digits: number): string {
  const sign = value < 0n ? '-' : '';
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  return sign + (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`);
}
