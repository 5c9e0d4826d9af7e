import { describe, expect, test } from '@jest/globals';
import cardValidator from 'card-validator';
import fc from 'fast-check';
import { cardBrand, isCardNumber } from './card-brand.js';

describe('cardBrand', () => {
  test.each([
    ['5060990580000217499', 'verve', 3],
    ['5061980000000000', 'verve', 3],
    ['6500270000000000', 'verve', 3],
    ['6500280000000000', 'discover', 3],
    ['4111111111111111', 'visa', 3],
    ['5399838383838381', 'mastercard', 3],
    ['378282246310005', 'american-express', 4],
    ['999999999999', 'unknown', 3],
  ])('%s is %s', (number, name, securityCodeDigits) => {
    expect(cardBrand(number)).toMatchObject({ name, securityCodeDigits });
  });
});

/** Numbers that begin as a brand's do, of any length. */
const number = fc
  .tuple(
    fc.constantFrom(
      '4',
      '51',
      '2221',
      '2720',
      '34',
      '37',
      '6011',
      '65',
      '62',
      '5018',
      '6304',
      '506',
      '5079',
      '3528',
      '36',
      '9792',
      '',
    ),
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 12, maxLength: 19 }),
    fc.integer({ min: 12, max: 19 }),
  )
  .map(([prefix, digits, length]) => (prefix + digits).slice(0, length));

test('says what card-validator says of every brand but Verve, whose ranges it does not know, and unknown ones', () => {
  fc.assert(
    fc.property(number, (text) => {
      const expected = cardValidator.number(text);
      const { name } = cardBrand(text);
      if (name === 'verve' || name === 'unknown') {
        fc.pre(name === 'unknown' && expected.card !== null);
        throw new Error(`${text.slice(0, 8)} has a brand`);
      }
      expect(name).toBe(expected.card?.type);
      expect(isCardNumber(text)).toBe(expected.isValid && text.length >= 12);
    }),
    { numRuns: 3000 },
  );
});

test('a number with one wrong digit is no card number', () => {
  const card = '5060990580000217499';
  expect(isCardNumber(card)).toBe(true);
  fc.assert(
    fc.property(fc.integer({ min: 6, max: card.length - 1 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
      const digit = String((Number(card[at]) + by) % 10);
      expect(isCardNumber(card.slice(0, at) + digit + card.slice(at + 1))).toBe(false);
    }),
  );
});
