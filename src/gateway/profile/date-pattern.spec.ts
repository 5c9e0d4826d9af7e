import { expect, test } from '@jest/globals';
import { DatePattern, isTimeZone } from './date-pattern.js';

test.each([
  ['yyyy', 'must have the year'],
  ['dd/MM', 'must have the year'],
  ['DD/MM/YYYY', 'has DD, which is no field'],
  ['dd/MM/YYYY', 'has YYYY, which is no field'],
  ['dd/mm/yyyy', 'must have the year'],
  ['dd/MM/yyyy hh:mm', 'must have h and a'],
  ['dd/MM/yyyy HH:mm a', 'must have h and a'],
  ['dd/MM/yyyy dd', 'has d twice'],
  ['yyyy-MM-ddTHH:mm', 'has T, which is no field'],
  ["yyyy-MM-dd'T", 'has a quote that is not closed'],
  ['yyyy-MM-dd XXX xxx', 'has two offsets'],
])('the pattern %s is refused', (pattern, why) => {
  expect(DatePattern.of(pattern)).toEqual(expect.stringContaining(why));
});

test('a pattern says whether its texts are days, and name their offset', () => {
  const of = (pattern: string): [boolean, boolean] | string => {
    const found = DatePattern.of(pattern);
    return typeof found === 'string' ? found : [found.isDay, found.hasOffset];
  };
  expect(of('dd.MM.yyyy')).toEqual([true, false]);
  expect(of('dd.MM.yyyy H:mm')).toEqual([false, false]);
  expect(of('d. MMM yy, h a')).toEqual([false, false]);
  expect(of("yyyy-MM-dd'T'HH:mm:ssXXX")).toEqual([false, true]);
});

test('time zones are those of the IANA', () => {
  const names = ['UTC', 'CET', 'Africa/Lagos', 'Africa/Nowhere', 'Lagos', '', 'IST'];
  expect(names.filter(isTimeZone)).toEqual(['UTC', 'CET', 'Africa/Lagos']);
});
