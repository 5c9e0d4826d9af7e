/** `"1500.00"`, `NGN` → `₦1,500.00`, in the format of the locale, with exactly the digits of the amount. */
export function formatAmount(amount: string, currency: string, locale: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  try {
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    // a decimal string is formatted exactly, but a number would first be rounded to binary
    return format.format(amount as Intl.StringNumericLiteral);
  } catch {
    return `${currency} ${amount}`;
  }
}
