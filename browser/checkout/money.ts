/** Signs of several currencies: who sees only "$" cannot tell Mexican pesos from US dollars. */
const SHARED_SIGN = /[$£¥₩₱¤]/;

/** `"1500.00"`, `NGN` → `₦1,500.00`, in the format of the locale or the reader's own, with exactly the digits of the amount. */
export function formatAmount(amount: string, currency: string, locale?: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  try {
    const format = (currencyDisplay: 'symbol' | 'narrowSymbol'): Intl.NumberFormat =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
    // a decimal string is formatted exactly, but a number would first be rounded to binary
    const narrow = format('narrowSymbol').format(amount as Intl.StringNumericLiteral);
    // a sign of no other currency (₦, ₵, ₹) is short and clear; letters like `kr` are not
    return /\p{Sc}/u.test(narrow) && !SHARED_SIGN.test(narrow)
      ? narrow
      : format('symbol').format(amount as Intl.StringNumericLiteral);
  } catch {
    return `${currency} ${amount}`;
  }
}
