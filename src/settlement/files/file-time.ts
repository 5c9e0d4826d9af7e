import { FixedOffsetZone, IANAZone, type Zone } from 'luxon';
import { DatePattern, isTimeZone, isUsual } from '../../gateway/profile/date-pattern.js';
import type { FileTime } from './report-row.js';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** A report names few days, or each of its moments once. More than this is not remembered. */
const MOST_REMEMBERED = 5_000;

/** What the clock of some place shows. */
interface Wall {
  /** Milliseconds as if it were in UTC. */
  readonly at: number;
  readonly isDay: boolean;
  /** Whether `at` is the moment itself, because the text names its offset. */
  readonly isMoment: boolean;
}

/** How a report writes times. */
export interface TimeForm {
  /** A Unicode pattern, or `iso`. */
  readonly dateFormat?: string | undefined;
  /** IANA; UTC where it is not given. */
  readonly zone?: string | undefined;
}

/**
 * Reads a date or a time. The zone of the row, where it has one, goes before that of the form, and the text's own offset before both. Undefined for
 * any other form, and for what no clock of the zone has ever shown.
 */
export type TimeReader = (text: string, zone?: string) => FileTime | undefined;

/** Reads the dates and times of a report. */
export function timeReader({ dateFormat = 'iso', zone: usual = 'UTC' }: TimeForm): TimeReader {
  const pattern = dateFormat === 'iso' ? undefined : DatePattern.of(dateFormat);
  if (typeof pattern === 'string') throw new TypeError(`the pattern ${pattern}`);
  const read = pattern ? (text: string) => readPattern(pattern, text) : readIso;
  const here = ianaZone(usual);
  const known = new Map<string, FileTime | undefined>();
  return (text, zone) => {
    const key = zone === undefined ? text : `${text} ${zone}`;
    const found = known.get(key);
    if (found || known.has(key)) return found;
    const wall = read(text);
    const place = zone === undefined ? here : zoneNamed(zone);
    const time = wall && place && timeIn(wall, place);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, time);
    return time;
  };
}

function readPattern(pattern: DatePattern, text: string): Wall | undefined {
  const at = pattern.read(text);
  return at === undefined ? undefined : { at, isDay: pattern.isDay, isMoment: pattern.hasOffset };
}

const ISO =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(?: ?(Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?))?)?$/i;

/** ISO 8601. Undefined for any other form: where day and month could be taken for each other nobody should guess. */
function readIso(text: string): Wall | undefined {
  const match = ISO.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone] = match;
  const date = `${year}-${month}-${day}`;
  const start = Date.parse(`${date}T00:00:00Z`);
  // 30 February is read as 1 March.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(date)) return undefined;
  if (!isUsual(Number(year))) return undefined;
  if (hour === undefined) return { at: start, isDay: true, isMoment: false };
  const time = Date.parse(
    `${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${offsetOf(zone)}`,
  );
  return Number.isNaN(time) ? undefined : { at: time, isDay: false, isMoment: zone !== undefined };
}

/** `+0100` and `+01` as the engine reads them; `Z` where there is none. */
function offsetOf(zone = 'Z'): string {
  if (!/^[+-]/.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}

/** Where a clock shows it, and when. */
function timeIn({ at, isDay, isMoment }: Wall, zone: Zone): FileTime | undefined {
  if (isMoment) return { from: at, until: at };
  if (isDay) return { from: firstMoment(at, zone), until: firstMoment(at + DAY_MS, zone) - 1 };
  const moments = momentsOf(at, zone);
  // In the hour that a clock shows twice it may be either.
  return moments.length === 0 ? undefined : { from: Math.min(...moments), until: Math.max(...moments) };
}

/** When a clock shows this: never where it was put forward past it, twice where it was put back. */
function momentsOf(wall: number, zone: Zone): number[] {
  const offsets = new Set([wall - DAY_MS, wall + DAY_MS].map((near) => zone.offset(near)));
  return [...offsets]
    .map((offset) => ({ offset, at: wall - offset * MINUTE_MS }))
    .filter(({ offset, at }) => zone.offset(at) === offset)
    .map(({ at }) => at);
}

/** When a day begins: where its midnight was skipped, as the clock was put forward. */
function firstMoment(midnight: number, zone: Zone): number {
  const [first, ...more] = momentsOf(midnight, zone);
  if (first !== undefined) return Math.min(first, ...more);
  return midnight - zone.offset(midnight - DAY_MS) * MINUTE_MS;
}

/**
 * Offsets of abbreviations that name one zone only, as reports use them. Those with several meanings (IST, CST) are not among them; CET and a few
 * others are names of the IANA.
 */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  ...{ UTC: 0, GMT: 0, Z: 0, WEST: 1, CEST: 2, EEST: 3, MSK: 3, TRT: 3 },
  ...{ WAT: 1, CAT: 2, SAST: 2, EAT: 3 },
  ...{ EST: -5, EDT: -4, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, BRT: -3, ART: -3 },
  ...{ JST: 9, KST: 9, HKT: 8, SGT: 8, AWST: 8, AEST: 10, AEDT: 11, NZST: 12, NZDT: 13 },
};

const zones = new Map<string, Zone | undefined>();

/** A zone by an abbreviation, an offset or its IANA name. Undefined for any other text. */
function zoneNamed(name: string): Zone | undefined {
  const found = zones.get(name);
  if (found || zones.has(name)) return found;
  const hours = ABBREVIATIONS[name.toUpperCase()];
  const zone =
    hours === undefined ? (offsetZone(name) ?? ianaZone(name)) : FixedOffsetZone.instance(hours * 60);
  if (zones.size >= MOST_REMEMBERED) zones.clear();
  zones.set(name, zone);
  return zone;
}

function offsetZone(name: string): Zone | undefined {
  const match = /^(?:UTC|GMT)? ?([+-])([0-9]{1,2})(?::?([0-9]{2}))?$/i.exec(name);
  if (!match) return undefined;
  const [, sign, hours, minutes = '0'] = match;
  const offset = Number(hours) * 60 + Number(minutes);
  return offset > 14 * 60 ? undefined : FixedOffsetZone.instance(sign === '-' ? -offset : offset);
}

function ianaZone(name: string): Zone | undefined {
  return isTimeZone(name) ? IANAZone.create(name) : undefined;
}
