/** The time zone of the books, from the sign-in on: no page shows a time before. */
let zone = 'UTC';

/** Shows all times by the clock of this time zone from now on. */
export function showTimesIn(timeZone: string): void {
  zone = timeZone;
}

export function dateTime(rfc3339: string): string {
  return format({ dateStyle: 'medium', timeStyle: 'short' }, rfc3339);
}

/** With seconds, for a timeline. */
export function exactTime(rfc3339: string): string {
  return format({ dateStyle: 'medium', timeStyle: 'medium' }, rfc3339);
}

/** For lists: the time in this year, the day in years before. */
export function shortTime(rfc3339: string): string {
  const isThisYear = dayIn(zone, rfc3339).slice(0, 4) === today().slice(0, 4);
  return isThisYear
    ? format({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }, rfc3339)
    : format({ dateStyle: 'medium' }, rfc3339);
}

function format(options: Intl.DateTimeFormatOptions, rfc3339: string): string {
  return new Intl.DateTimeFormat(undefined, { ...options, timeZone: zone }).format(new Date(rfc3339));
}

/** Today in the time zone of the books: `2031-01-31`. */
export function today(): string {
  return dayIn(zone, new Date().toISOString());
}

/** The day of a moment in a time zone: `2031-01-31`. */
export function dayIn(timeZone: string, rfc3339: string): string {
  // Swedes write dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv', { timeZone }).format(new Date(rfc3339));
}

/** `2031-01-31` as people write it; without its year for an axis. */
export function dayWords(day: string, isShort = false): string {
  const options = isShort
    ? ({ month: 'short', day: 'numeric' } as const)
    : ({ dateStyle: 'medium' } as const);
  return new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** `2031-01` as people write it. */
export function monthWords(month: string): string {
  const options = { year: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(undefined, options).format(new Date(`${month}-01T00:00:00Z`));
}

/** The last day of a month: `2031-02` → `2031-02-28`. Pure. */
export function lastDay(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** `2031-01-31` so many days before another one. Pure. */
export function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long something has lasted, in its largest whole unit: `3 hours`. Pure. */
export function ago(since: string, now: string): string {
  const ms = Date.parse(now) - Date.parse(since);
  for (const [unit, length] of UNITS) {
    const count = Math.floor(ms / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'less than a minute';
}
