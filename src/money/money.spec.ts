import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatMajor, minorDigits, parseMajor } from './money.js';

describe('parseMajor', () => {
  test.each([
    ['1500.00', 'NGN', 150000n],
    ['1500', 'NGN', 150000n],
    ['0.5', 'NGN', 50n],
    ['0', 'NGN', 0n],
    ['100', 'JPY', 100n],
    ['1.234', 'KWD', 1234n],
    ['999999999999.99', 'NGN', 99999999999999n],
  ])('reads %s %s', (text, currency, minor) => {
    expect(parseMajor(text, currency)).toBe(minor);
  });

  test.each([
    ['1500.001', 'NGN'],
    ['1.0', 'JPY'],
    ['01.00', 'NGN'],
    ['-1', 'NGN'],
    ['+1', 'NGN'],
    ['1e3', 'NGN'],
    ['1,000', 'NGN'],
    [' 1', 'NGN'],
    ['1.', 'NGN'],
    ['.5', 'NGN'],
    ['', 'NGN'],
    ['١٢', 'NGN'],
    ['1000000000000', 'NGN'],
    ['1', 'XYZ'],
    ['1', 'ngn'],
  ])('refuses %j %s', (text, currency) => {
    expect(parseMajor(text, currency)).toBeUndefined();
  });
});

test('what is written is read back as the same amount, in every kind of currency', () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10n ** 12n - 1n),
      fc.constantFrom('NGN', 'JPY', 'KWD', 'USD', 'CLF'),
      (minor, currency) => {
        const text = formatMajor(minor, currency);
        expect(parseMajor(text, currency)).toBe(minor);
        expect(text.split('.')[1]?.length ?? 0).toBe(minorDigits(currency));
      },
    ),
  );
});
