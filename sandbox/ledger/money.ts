/** Currencies that do not have two minor digits (ISO 4217). */
const EXCEPTIONS: Record<string, number> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

/** The number of minor digits of a currency (NGN: 2, JPY: 0). */
export function minorDigits(currency: string): number {
  return EXCEPTIONS[currency] ?? 2;
}

/** Reads `"1500.00"` as minor units. Undefined unless it is a plain decimal above zero with *all* minor digits. */
export function readMajor(text: string, currency: string): bigint | undefined {
  const digits = minorDigits(currency);
  const shape = digits === 0 ? /^[1-9][0-9]{0,11}$/ : new RegExp(`^(0|[1-9][0-9]{0,11})\\.[0-9]{${digits}}$`);
  if (!shape.test(text)) return undefined;
  const minor = BigInt(text.replace('.', ''));
  return minor > 0n ? minor : undefined;
}

/** Formats minor units as `"1500.00"`, always with all minor digits. */
export function writeMajor(minor: bigint, currency: string): string {
  const digits = minorDigits(currency);
  const text = minor.toString().padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
