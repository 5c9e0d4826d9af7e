/** The time zone of the books, from the sign-in on: no page shows a time before. */
let zone = 'UTC';

/** Shows all times by the clock of this time zone from now on. */
export function showTimesIn(timeZone: string): void {
  zone = timeZone;
}

/** A moment by the books' clock. */
export function dateTime(rfc3339: string): string {
  const style = { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone } as const;
  return new Intl.DateTimeFormat(undefined, style).format(new Date(rfc3339));
}

/** The day of a moment in a time zone: `2031-01-31`. */
export function dayIn(timeZone: string, rfc3339: string): string {
  // Swedes write dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv', { timeZone }).format(new Date(rfc3339));
}

/** `2031-01-31` or `2031-01` as people write it, with what `style` names. */
export function dayWords(
  day: string,
  style: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' },
): string {
  return new Intl.DateTimeFormat(undefined, { ...style, timeZone: 'UTC' }).format(new Date(day));
}

/** `2031-01` as people write it. */
export function monthWords(month: string): string {
  return dayWords(month, { year: 'numeric', month: 'long' });
}

/** The last day of a month: `2031-02` → `2031-02-28`. Pure. */
export function lastDay(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** `2031-01-31` so many days before another one. Pure. */
export function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);
}
