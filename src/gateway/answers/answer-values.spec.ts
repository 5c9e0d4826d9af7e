import { expect, test } from '@jest/globals';
import { readMoment } from './answer-values.js';

const at = Date.UTC(2026, 10, 21, 12, 30, 5);

test.each<[unknown, number | undefined]>([
  ['2026-11-21T12:30:05Z', at],
  ['2026-11-21T13:30:05+01:00', at],
  ['2026-11-21 12:30:05', at],
  ['2026-11-21', Date.UTC(2026, 10, 21)],
  [at / 1000, at],
  [at, at],
  [String(at), at],
  [String(at / 1000), at],
  ['2026-13-21', undefined],
  ['yesterday', undefined],
  [5, undefined],
  [null, undefined],
  [true, undefined],
])('the moment %j', (value, moment) => {
  expect(readMoment(value)).toBe(moment);
});
