/** `"1500.00"`, `NGN` → `₦1,500.00`, as the locale writes it, with exactly the digits that the amount has. */
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
    // a decimal string is formatted exactly, a number would be rounded to binary first
    return format.format(amount as Intl.StringNumericLiteral);
  } catch {
    return `${currency} ${amount}`;
  }
}
