import { expect, test } from '@jest/globals';
import { isRequiredIn, REQUIRED_IN } from './address-rules.js';

test.each([
  ['NGA', 'stateProvince', false],
  ['NGA', 'postCode', false],
  ['GHA', 'postCode', false],
  ['KEN', 'stateProvince', false],
  ['USA', 'stateProvince', true],
  ['USA', 'postCode', true],
  ['CAN', 'stateProvince', true],
  ['GBR', 'stateProvince', false],
  ['GBR', 'postCode', true],
  ['ZAF', 'postCode', true],
  ['ARE', 'stateProvince', true],
  ['ARE', 'postCode', false],
  ['XXX', 'postCode', false],
  [undefined, 'postCode', false],
  ['NGA', 'street', true],
  [undefined, 'country', true],
])('an address of %s has its %s: %s', (country, member, required) => {
  expect(isRequiredIn(country, member)).toBe(required);
});

test('the lists for pages are short, in order, and the same', () => {
  for (const [member, list] of Object.entries(REQUIRED_IN)) {
    expect([...list]).toEqual([...new Set(list)].sort());
    expect(list.every((country) => /^[A-Z]{3}$/.test(country) && isRequiredIn(country, member))).toBe(true);
  }
  expect(REQUIRED_IN.stateProvince.length).toBeGreaterThan(25);
  expect(JSON.stringify(REQUIRED_IN).length).toBeLessThan(1_200);
});
