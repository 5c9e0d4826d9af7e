import { FixedOffsetZone, IANAZone, type Zone } from 'luxon';
import { DatePattern, isTimeZone, type Shown } from '../../calendar/date-pattern.js';
import { readAmount, type Digits } from '../../gateway/amounts.js';
import type { SettlementProfile } from '../../gateway/profile/schema.js';

/** A sign, or brackets in place of a minus. */
const SIGNED = /^(?:([+\-\u2212]?)\s?(\d.*)|\((\d.*)\))$/;
/** One group of thousands, or a fraction of three digits: nobody can tell. */
const AMBIGUOUS = /^[1-9]\d{0,2}\.\d{3}$/;

/** In minor units: sums of hundreds of these are still whole numbers of both stores. */
const MOST = 10n ** 16n;

/** Reads an amount in minor units, with its sign. Undefined where it is none of this currency. */
export type ReadAmount = (text: string, currency: string) => bigint | undefined;

/** How amounts are written in reports of a shape. */
export function amountReader(shape: SettlementProfile, digits: Digits): ReadAmount {
  const { amountUnit: unit = 'major', decimal = '.', thousands } = shape;
  const group = thousands && `[${thousands === ' ' ? ' \u00a0\u202f' : thousands}]`;
  // By threes, or as in India: 12,34,567.
  const grouped =
    group && new RegExp(`^\\d{1,3}(?:${group}\\d{3})+$|^\\d{1,2}(?:${group}\\d{2})+${group}\\d{3}$`);
  const separators = group && new RegExp(group, 'g');
  return (text, currency) => {
    const [, sign, signless, bracketed] = SIGNED.exec(text) ?? [];
    const [whole = '', fraction, ...more] = (signless ?? bracketed ?? '').split(decimal);
    if (more.length > 0) return undefined;
    const plain = grouped && separators && grouped.test(whole) ? whole.replace(separators, '') : whole;
    const number = fraction === undefined ? plain : `${plain}.${fraction}`;
    if (unit === 'major' && plain === whole && AMBIGUOUS.test(number) && isShort(currency, digits))
      return undefined;
    const amount = readAmount(number, unit, currency, digits);
    if (typeof amount !== 'bigint' || amount > MOST) return undefined;
    return bracketed !== undefined || sign === '-' || sign === '\u2212' ? -amount : amount;
  };
}

/** Whether the currency has fewer than three minor digits. */
function isShort(currency: string, digits: Digits): boolean {
  return readAmount('0.001', 'major', currency, digits) === 'unreadable';
}

/** Milliseconds. The zone of the row goes before that of the shape, an offset in the text before both. */
export type ReadTime = (text: string, zone: string) => number | undefined;

/** Texts that are remembered: many rows have the same day. */
const MOST_REMEMBERED = 5_000;

/** How times are written in reports of a shape. */
export function timeReader({ dateFormat, zone: usual = 'UTC' }: SettlementProfile): ReadTime {
  const pattern = dateFormat === undefined ? undefined : new DatePattern(dateFormat);
  const known = new Map<string, number | undefined>();
  return (text, zone) => {
    const key = `${text}\n${zone}`;
    if (known.has(key)) return known.get(key);
    const shown = pattern ? pattern.read(text) : byIso(text);
    const place = zoneNamed(zone === '' ? usual : zone);
    const at = shown && place && (shown.isMoment ? shown.at : momentIn(place, shown.at));
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, at);
    return at;
  };
}

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?(?: ?(Z|UTC|[+-]\d{2}(?::?\d{2})?))?)?$/i;

/** ISO 8601, and nothing in which day and month could be taken for each other. */
function byIso(text: string): Shown | undefined {
  const [, date, time = '00:00', fraction = '0', zone] = ISO.exec(text) ?? [];
  if (date === undefined) return undefined;
  const midnight = Date.parse(date);
  // 30 February is read as 1 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined;
  const seconds = time.length === 5 ? `${time}:00` : time;
  const offset =
    zone && /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z';
  const at = Date.parse(`${date}T${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return Number.isNaN(at) ? undefined : { at, isMoment: zone !== undefined };
}

/** When clocks of a zone show this. In the hour that they show twice, the second time. */
function momentIn(zone: Zone, shown: number): number {
  const guess = shown - zone.offset(shown) * 60_000;
  return shown - zone.offset(guess) * 60_000;
}

/** Abbreviations that reports use and that name one offset only, in hours. CET and some others are names of the IANA. */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  ...{ Z: 0, WEST: 1, CEST: 2, EEST: 3, MSK: 3, TRT: 3, WAT: 1, CAT: 2, SAST: 2, EAT: 3 },
  ...{ EDT: -4, CDT: -5, MDT: -6, PST: -8, PDT: -7, BRT: -3, ART: -3 },
  ...{ JST: 9, KST: 9, HKT: 8, SGT: 8, AWST: 8, AEST: 10, AEDT: 11, NZST: 12, NZDT: 13 },
};

const zones = new Map<string, Zone | undefined>();

/** By an IANA name, an abbreviation or an offset. Undefined for any other text. */
function zoneNamed(name: string): Zone | undefined {
  if (zones.has(name)) return zones.get(name);
  const hours = ABBREVIATIONS[name.toUpperCase()];
  const [, sign, whole, minutes = '0'] = /^(?:UTC|GMT)? ?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(name) ?? [];
  const offset = Number(`${sign ?? ''}1`) * (Number(whole) * 60 + Number(minutes));
  const zone =
    hours !== undefined
      ? FixedOffsetZone.instance(hours * 60)
      : sign !== undefined && Math.abs(offset) <= 14 * 60
        ? FixedOffsetZone.instance(offset)
        : isTimeZone(name)
          ? IANAZone.create(name)
          : undefined;
  if (zones.size >= MOST_REMEMBERED) zones.clear();
  zones.set(name, zone);
  return zone;
}
