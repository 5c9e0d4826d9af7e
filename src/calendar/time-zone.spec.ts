import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isTimeZone } from './date-pattern.js';
import { beginningOf, DAY_MS, endOf, TimeZone } from './time-zone.js';

const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const ZONES = [
  ...['UTC', 'Africa/Lagos', 'Africa/Casablanca', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu'],
  ...['Europe/Berlin', 'Pacific/Apia', 'Pacific/Kiritimati', 'Australia/Lord_Howe', 'America/Sao_Paulo'],
];
const moment = fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2060, 0) });

const DATES = new Map(
  ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })]),
);

/** The date of a moment as `Intl` writes it. */
function dateBy(zone: string, at: number): string | undefined {
  return DATES.get(zone)?.format(at);
}

test.each(ZONES)('the days of %s are those of its calendar', (name) => {
  const zone = TimeZone.of(name);
  fc.assert(
    fc.property(moment, (at) => {
      const day = zone.dayOf(at);
      expect(dayText(day)).toBe(dateBy(name, at));
      const start = zone.startOf(day);
      expect(start).toBeLessThanOrEqual(at);
      expect(dateBy(name, start)).toBe(dayText(day));
      expect(dateBy(name, start - 1)).not.toBe(dayText(day));
      expect(zone.localTime(at).slice(0, 10)).toBe(dayText(day));
      const end = zone.endOfMonth(at);
      expect(end).toBeGreaterThan(at);
      expect(dateBy(name, end - 1)?.slice(0, 7)).toBe(dayText(day).slice(0, 7));
      expect(dateBy(name, end)).toMatch(/-01$/);
    }),
  );
});

test.each(ZONES)('the offsets of %s, as stretches, are those of each moment', (name) => {
  const zone = TimeZone.of(name);
  fc.assert(
    fc.property(moment, fc.integer({ min: 0, max: 3 * 365 * DAY_MS }), fc.nat(100), (from, length, part) => {
      const at = from + Math.floor((length * part) / 100);
      const offsets = zone.offsetsBetween(from, from + length);
      const { offset = NaN } = offsets.findLast((one) => one.from <= at) ?? {};
      expect(Math.floor((at + offset) / DAY_MS)).toBe(zone.dayOf(at));
      expect(offsets[0]?.from).toBeLessThanOrEqual(from);
      expect(offsets.map((one) => one.from)).toEqual(offsets.map((one) => one.from).sort((a, b) => a - b));
    }),
    { numRuns: 40 },
  );
});

test('a day whose midnight is left out begins an hour later', () => {
  const zone = TimeZone.of('America/Sao_Paulo');
  const day = Date.UTC(2018, 10, 4) / DAY_MS;
  expect(new Date(zone.startOf(day)).toISOString()).toBe('2018-11-04T03:00:00.000Z');
  expect(zone.localTime(zone.startOf(day))).toBe('2018-11-04T01:00:00.000Z');
});

test('a day of which a zone has none begins with the next one', () => {
  // Samoa went from the 29th to the 31st.
  const zone = TimeZone.of('Pacific/Apia');
  const day = Date.UTC(2011, 11, 30) / DAY_MS;
  expect(dayText(zone.dayOf(zone.startOf(day)))).toBe('2011-12-31');
});

test('a time is the same at both ends and in each zone, a date is a day of its zone, and anything else is none', () => {
  const zone = TimeZone.of('Asia/Kolkata');
  const at = Date.UTC(2031, 0, 31, 10);
  for (const text of ['2031-01-31T10:00:00Z', '2031-01-31T11:00:00+01:00', '2031-01-31T10:00:00.000000000Z'])
    expect([beginningOf(text, zone), endOf(text, zone)]).toEqual([at, at]);
  const day = Date.UTC(2031, 0, 31) / DAY_MS;
  expect([beginningOf('2031-01-31', zone), endOf('2031-01-31', zone)]).toEqual([
    zone.startOf(day),
    zone.startOf(day + 1),
  ]);
  for (const text of [
    '2031-02-30',
    '2031-13-01',
    '2031-01-31T25:00:00Z',
    '2031-01-31T10:00',
    '2031-W05',
    '',
    '1',
  ])
    expect([beginningOf(text, zone), endOf(text, zone)]).toEqual([undefined, undefined]);
});

describe('a name', () => {
  test.each(['UTC', 'Africa/Lagos', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('%s is one', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });
  test.each(['', '+01:00', 'Lagos', 'Africa/Lagos ', 'Africa/Nowhere', '../etc'])('%j is none', (name) => {
    expect(isTimeZone(name)).toBe(false);
    expect(() => TimeZone.of(name)).toThrow(RangeError);
  });
});
