import { describe, expect, test } from '@jest/globals';
import { cardFaults, fullYear } from './card-body.js';
import type { CardDto } from './pay-card.dto.js';

const card: CardDto = {
  number: '5060990580000217499',
  expiryMonth: '11',
  expiryYear: '2026',
  cvv: '111',
  nameOnCard: 'Ada Obi',
};
const monthEnds = Date.UTC(2026, 11, 1);
const HOUR = 3_600_000;

describe('expiry', () => {
  test.each([
    ['in its month', monthEnds - 1, {}, true],
    ['while its month lasts anywhere on earth', monthEnds + 12 * HOUR - 1, {}, true],
    ['when its month is over everywhere', monthEnds + 12 * HOUR, {}, false],
    ['with a year of two digits', monthEnds - 1, { expiryYear: '26' }, true],
    ['in another year', monthEnds, { expiryYear: '2027' }, true],
    ['at the end of a year', Date.UTC(2027, 0, 1) + 12 * HOUR, { expiryMonth: '12' }, false],
    ['long ago', monthEnds, { expiryYear: '2020' }, false],
  ])('%s', (_name, now, over, holds) => {
    const faults = cardFaults({ ...card, ...over }, now);
    expect(faults.map(({ pointer }) => pointer)).toEqual(holds ? [] : ['/card/expiryYear']);
  });
});

describe('security code', () => {
  test.each([
    ['5060990580000217499', '111', true],
    ['5060990580000217499', '1111', false],
    ['4111111111111111', '111', true],
    ['4111111111111111', '1111', false],
    ['370000000000101', '1111', true],
    ['370000000000101', '111', false],
  ])('%s with %s: %s', (number, cvv, fits) => {
    const faults = cardFaults({ ...card, number, cvv }, monthEnds - 1);
    expect(faults.map(({ pointer }) => pointer)).toEqual(fits ? [] : ['/card/cvv']);
  });

  test('all faults at once, and no value in them', () => {
    const faults = cardFaults({ ...card, cvv: '9876', expiryYear: '2019' }, monthEnds);
    expect(faults).toHaveLength(2);
    expect(JSON.stringify(faults)).not.toMatch(/9876|2019|5060/);
  });
});

test('a year of two digits is one of this century', () => {
  expect(['30', '2030', '99'].map(fullYear)).toEqual(['2030', '2030', '2099']);
});
