export interface Expiry {
  /** `"01"` to `"12"`. */
  month: string;
  /** Four digits. */
  year: string;
}

/** Parses `MM / YY` (or `MM / YYYY`). Undefined where it is not a month of a year. */
export function parseExpiry(digits: string): Expiry | undefined {
  const month = digits.slice(0, 2);
  const rest = digits.slice(2);
  const year = rest.length === 2 ? `20${rest}` : rest;
  const isMonth = /^(0[1-9]|1[0-2])$/.test(month);
  return isMonth && /^20\d{2}$/.test(year) ? { month, year } : undefined;
}

/**
 * A card is valid until the last day of its month, in whichever time zone that day ends last. `now`: the service's time in
 * milliseconds since 1970. Where it is not known, the service says what has expired.
 */
export function isPast({ month, year }: Expiry, now: number | undefined): boolean {
  if (now === undefined) return false;
  const firstDayAfter = Date.UTC(Number(year), Number(month), 1);
  const latestTimeZone = 12 * 3_600_000;
  return now >= firstDayAfter + latestTimeZone;
}
