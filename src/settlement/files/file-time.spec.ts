import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { timeReader, type TimeForm } from './file-time.js';

const HOUR_MS = 3_600_000;

function read(text: string, form: TimeForm = {}, zone?: string): string | undefined {
  const time = timeReader(form)(text, zone);
  if (!time) return undefined;
  const [from, until] = [time.from, time.until].map((at) => new Date(at).toISOString());
  return from === until ? from : `${from} to ${until}`;
}

describe('a time', () => {
  test.each<[string, TimeForm, string | undefined]>([
    ['2026-11-30T06:00:00Z', {}, '2026-11-30T06:00:00.000Z'],
    ['2026-11-30 06:00', {}, '2026-11-30T06:00:00.000Z'],
    ['2026-11-30T06:00:00.123456+01:00', {}, '2026-11-30T05:00:00.123Z'],
    ['2026-11-30T06:00:00+0100', {}, '2026-11-30T05:00:00.000Z'],
    ['2026-11-30 06:00:00 UTC', {}, '2026-11-30T06:00:00.000Z'],
    ['2026-11-30 06:00:00+01', {}, '2026-11-30T05:00:00.000Z'],
    ['2026-11-30', {}, '2026-11-30T00:00:00.000Z to 2026-11-30T23:59:59.999Z'],
    ['2026-02-30', {}, undefined],
    ['2026-13-01', {}, undefined],
    ['2026-11-30T25:00:00Z', {}, undefined],
    ['0026-11-30', {}, undefined],
    ['9026-11-30', {}, undefined],
    ['30/11/2026', {}, undefined],
    ['', {}, undefined],
    ['2026-11-30 06:00', { zone: 'Africa/Lagos' }, '2026-11-30T05:00:00.000Z'],
    ['2026-11-30T06:00:00Z', { zone: 'Africa/Lagos' }, '2026-11-30T06:00:00.000Z'],
    ['2026-11-30', { zone: 'Africa/Lagos' }, '2026-11-29T23:00:00.000Z to 2026-11-30T22:59:59.999Z'],
    // Its clocks are put forward at midnight, so this day begins at one.
    ['2025-04-25', { zone: 'Africa/Cairo' }, '2025-04-24T22:00:00.000Z to 2025-04-25T20:59:59.999Z'],
    // 02:30 never was, and then was twice.
    ['2026-03-29 02:30', { zone: 'Europe/Berlin' }, undefined],
    ['2026-10-25 02:30', { zone: 'Europe/Berlin' }, '2026-10-25T00:30:00.000Z to 2026-10-25T01:30:00.000Z'],
    ['30/11/2026', { dateFormat: 'dd/MM/yyyy' }, '2026-11-30T00:00:00.000Z to 2026-11-30T23:59:59.999Z'],
    ['30/11/26', { dateFormat: 'dd/MM/yyyy' }, undefined],
    ['11/30/2026', { dateFormat: 'dd/MM/yyyy' }, undefined],
    ['2026-11-30', { dateFormat: 'dd/MM/yyyy' }, undefined],
    ['30/11/26 18:05', { dateFormat: 'dd/MM/yy HH:mm', zone: 'Africa/Lagos' }, '2026-11-30T17:05:00.000Z'],
    ['Nov 3, 2026, 6:05:09 PM', { dateFormat: 'MMM d, yyyy, h:mm:ss a' }, '2026-11-03T18:05:09.000Z'],
    [
      'Tue 3 November 2026',
      { dateFormat: 'EEE d MMMM yyyy' },
      '2026-11-03T00:00:00.000Z to 2026-11-03T23:59:59.999Z',
    ],
    ['Wed 3 November 2026', { dateFormat: 'EEE d MMMM yyyy' }, undefined],
    ['20261130180509', { dateFormat: 'yyyyMMddHHmmss' }, '2026-11-30T18:05:09.000Z'],
    [
      '2026-11-30T18:05:09Z',
      { dateFormat: "yyyy-MM-dd'T'HH:mm:ssXXX", zone: 'Africa/Lagos' },
      '2026-11-30T18:05:09.000Z',
    ],
    ['2026-11-30T18:05:09-0500', { dateFormat: "yyyy-MM-dd'T'HH:mm:ssXX" }, '2026-11-30T23:05:09.000Z'],
    ['2026-11-30 18:05:09.123456', { dateFormat: 'uuuu-MM-dd HH:mm:ss.SSSSSS' }, '2026-11-30T18:05:09.123Z'],
  ])('%s %p', (text, form, expected) => {
    expect(read(text, form)).toBe(expected);
  });

  test.each([
    ['CET', '2026-11-30T05:00:00.000Z'],
    ['cest', '2026-11-30T04:00:00.000Z'],
    ['PST', '2026-11-30T14:00:00.000Z'],
    ['Africa/Lagos', '2026-11-30T05:00:00.000Z'],
    ['UTC+1', '2026-11-30T05:00:00.000Z'],
    ['+05:30', '2026-11-30T00:30:00.000Z'],
    ['-03', '2026-11-30T09:00:00.000Z'],
    // These mean several zones.
    ['IST', undefined],
    ['CST', undefined],
    ['Nowhere', undefined],
    ['+99', undefined],
  ])('in the zone %s of its row', (zone, expected) => {
    expect(read('2026-11-30 06:00', { zone: 'Asia/Tokyo' }, zone)).toBe(expected);
  });
});

test('any moment that a place shows is read back, whatever the clocks there did', () => {
  const zone = fc.constantFrom(
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Africa/Cairo',
    'Australia/Lord_Howe',
    'Africa/Lagos',
  );
  const moment = fc.integer({ min: Date.UTC(2010, 0) / 60_000, max: Date.UTC(2030, 0) / 60_000 });
  fc.assert(
    fc.property(moment, zone, (minutes, place) => {
      const at = minutes * 60_000;
      const text = new Date(at).toLocaleString('sv-SE', { timeZone: place });
      const time = timeReader({ zone: place })(text);
      expect(time).toBeDefined();
      // A clock that is put back shows an hour twice.
      expect([time?.from, time?.until]).toContain(at);
      expect((time?.until ?? 0) - (time?.from ?? 0)).toBeLessThanOrEqual(HOUR_MS);
    }),
    { numRuns: 1_000 },
  );
});
