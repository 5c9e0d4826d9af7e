import { DateTime, IANAZone } from 'luxon';
import { isTimeZone } from './date-pattern.js';

export const DAY_MS = 24 * 3_600_000;
/** No zone changes its offset twice within this time. */
const STEP_MS = 5 * DAY_MS;

/** A stretch of time in which a zone's clocks are by so much ahead of UTC, in milliseconds; until the next one begins. */
export interface Offset {
  readonly from: number;
  readonly offset: number;
}

const zones = new Map<string, TimeZone>();

/**
 * The days and months of a time zone. A day is a number: as many days after 1970-01-01. Times are milliseconds since the epoch.
 */
export class TimeZone {
  private readonly zone: IANAZone;
  /** The offsets of years of UTC, each as far as it was asked for. */
  private readonly years = new Map<number, readonly Offset[]>();
  /** When months ended, by the first day of the next one, each that was asked for. */
  private readonly ends = new Map<number, number>();

  private constructor(readonly name: string) {
    this.zone = IANAZone.create(name);
  }

  /** The zone of an IANA name. Throws `RangeError` for anything else. */
  static of(name: string): TimeZone {
    let zone = zones.get(name);
    if (!zone) {
      if (!isTimeZone(name)) throw new RangeError('This is no time zone');
      zone = new TimeZone(name);
      zones.set(name, zone);
    }
    return zone;
  }

  /** The day in which a moment lies. */
  dayOf(at: number): number {
    return Math.floor((at + this.offsetAt(at)) / DAY_MS);
  }

  /** The first moment that is not before a day. Where clocks are put forward at midnight, the day begins later. */
  startOf(day: number): number {
    let [before, after] = [(day - 2) * DAY_MS, (day + 2) * DAY_MS];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.dayOf(middle) < day) before = middle;
      else after = middle;
    }
    return after;
  }

  /** The first moment after the month in which a moment lies. */
  endOfMonth(at: number): number {
    const month = new Date(this.dayOf(at) * DAY_MS);
    const next = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1) / DAY_MS;
    let end = this.ends.get(next);
    if (end === undefined) this.ends.set(next, (end = this.startOf(next)));
    return end;
  }

  /** A moment by the zone's clocks: `2031-01-31T13:05:09.000Z`, though it is no UTC. */
  localTime(at: number): string {
    return new Date(at + this.offsetAt(at)).toISOString();
  }

  /** How the zone's clocks stand from one moment to another, the first stretch beginning at or before `from`. */
  offsetsBetween(from: number, to: number): Offset[] {
    const found: Offset[] = [];
    for (let year = yearOf(from); year <= yearOf(to); year += 1) found.push(...this.offsetsOf(year));
    const inside = found.filter(({ from: begins }, index) => {
      const ends = found[index + 1]?.from ?? Infinity;
      return begins <= to && ends > from;
    });
    return inside.filter(({ offset }, index) => offset !== inside[index - 1]?.offset);
  }

  private offsetAt(at: number): number {
    const offsets = this.offsetsOf(yearOf(at));
    return offsets.findLast(({ from }) => from <= at)?.offset ?? 0;
  }

  private offsetsOf(year: number): readonly Offset[] {
    let offsets = this.years.get(year);
    if (!offsets) {
      offsets = this.find(Date.UTC(year, 0), Date.UTC(year + 1, 0));
      this.years.set(year, offsets);
    }
    return offsets;
  }

  private read(at: number): number {
    return this.zone.offset(at) * 60_000;
  }

  private find(from: number, to: number): Offset[] {
    const found: Offset[] = [{ from, offset: this.read(from) }];
    for (let at = from; at < to; at += STEP_MS) {
      let [before, after] = [at, Math.min(at + STEP_MS, to - 1)];
      const [was, is] = [this.read(before), this.read(after)];
      if (was === is) continue;
      while (after - before > 1) {
        const middle = Math.floor((before + after) / 2);
        if (this.read(middle) === was) before = middle;
        else after = middle;
      }
      found.push({ from: after, offset: is });
    }
    return found;
  }
}

function yearOf(at: number): number {
  return new Date(at).getUTCFullYear();
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** The beginning of a stretch of time: a time (RFC 3339), or the beginning of a date in a zone. Undefined for anything else. */
export function beginningOf(text: string, zone: { readonly name: string }): number | undefined {
  if (!DATE.test(text) && !MOMENT.test(text)) return undefined;
  const read = DateTime.fromISO(text, { zone: zone.name });
  return read.isValid ? read.toMillis() : undefined;
}

/** The end of a stretch, which is no longer in it: a time, or the end of a date, which is in it as a whole. */
export function endOf(text: string, zone: TimeZone): number | undefined {
  const begins = beginningOf(text, zone);
  return begins === undefined || !DATE.test(text) ? begins : zone.startOf(zone.dayOf(begins) + 1);
}
