import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { minorDigits } from '../../money/money.js';
import { amountReader, magnitude, minorOf, negated, type AmountForm } from './file-amount.js';

const major: AmountForm = { amountUnit: 'major', decimal: '.' };
const german: AmountForm = { amountUnit: 'major', decimal: ',', thousands: '.' };
const english: AmountForm = { amountUnit: 'major', decimal: '.', thousands: ',' };
const french: AmountForm = { amountUnit: 'major', decimal: ',', thousands: ' ' };
const minor: AmountForm = { amountUnit: 'minor', decimal: '.' };

describe('an amount', () => {
  test.each<[string, AmountForm, bigint | undefined]>([
    ['1500.00', major, 150_000n],
    ['1500', major, 150_000n],
    ['1500.5', major, 150_050n],
    ['1500.0000', major, 150_000n],
    ['-22.50', major, -2_250n],
    ['\u221222.50', major, -2_250n],
    ['+22.50', major, 2_250n],
    ['(22.50)', major, -2_250n],
    ['1,500.00', major, undefined],
    ['1500,00', major, undefined],
    ['1500.001', major, undefined],
    ['1.500', major, undefined],
    ['1500.', major, undefined],
    ['.50', major, undefined],
    ['1e3', major, undefined],
    ['NGN 5', major, undefined],
    ['(-5)', major, undefined],
    ['--5', major, undefined],
    ['\u0661\u0665', major, undefined],
    ['1234567890123', major, undefined],
    ['', major, undefined],
    ['1,500.00', english, 150_000n],
    ['1500.00', english, 150_000n],
    ['12,34,567.00', english, 123_456_700n],
    ['1,234,567.00', english, 123_456_700n],
    ['1,50.00', english, undefined],
    ['15,00', english, undefined],
    ['1.500,00', german, 150_000n],
    ['1.500', german, 150_000n],
    ['1,500', german, undefined],
    ['1 500,00', french, 150_000n],
    ['1\u00a0500,00', french, 150_000n],
    ['1\u202f500,00', french, 150_000n],
    ["1'500.00", { ...major, thousands: "'" }, 150_000n],
    ['150000', minor, 150_000n],
    ['150,000', { ...minor, thousands: ',' }, 150_000n],
    ['1500.00', minor, undefined],
  ])('%s', (text, form, expected) => {
    const amount = amountReader(form)(text);
    expect(amount && minorOf(amount, 'NGN')).toBe(expected);
  });

  test('is read in the digits of its currency', () => {
    const amount = amountReader(major)('1.500');
    expect(amount && [minorOf(amount, 'KWD'), minorOf(amount, 'JPY'), minorOf(amount, 'XXY')]).toEqual([
      1_500n,
      undefined,
      undefined,
    ]);
  });

  test('has another sign, and none', () => {
    const amount = { digits: -5n, decimals: 2 };
    expect([negated(amount).digits, magnitude(amount).digits, magnitude(negated(amount)).digits]).toEqual([
      5n,
      5n,
      5n,
    ]);
  });
});

/** Writes an amount as a report may. */
function write(
  value: bigint,
  currency: string,
  { amountUnit, decimal, thousands }: AmountForm,
  style: { sign: string; grouped: 'no' | 'threes' | 'India'; zeros: number },
): string {
  const places = minorDigits(currency) ?? 0;
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0');
  const whole =
    amountUnit === 'minor' ? digits.replace(/^0+(?=.)/, '') : digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places);
  const group = style.grouped === 'India' ? /\B(?=(?:[0-9]{2})*[0-9]{3}$)/g : /\B(?=(?:[0-9]{3})+$)/g;
  const shown = thousands === undefined || style.grouped === 'no' ? whole : whole.replace(group, thousands);
  const tail =
    amountUnit === 'minor' || places === 0 ? '' : `${decimal}${fraction}${'0'.repeat(style.zeros)}`;
  const text = `${shown}${tail}`;
  if (value >= 0n) return text;
  return style.sign === '(' ? `(${text})` : `${style.sign}${text}`;
}

test('whatever amount is written in whatever form is read back', () => {
  const form = fc.constantFrom<AmountForm>(
    major,
    german,
    english,
    french,
    minor,
    { ...minor, thousands: ',' },
    { ...major, thousands: "'" },
  );
  const style = fc.record({
    sign: fc.constantFrom('-', '\u2212', '('),
    grouped: fc.constantFrom('no' as const, 'threes' as const, 'India' as const),
    // One more zero may look like a group.
    zeros: fc.constantFrom(0, 2),
  });
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n - 10n ** 12n, max: 10n ** 12n - 1n }),
      fc.constantFrom('NGN', 'JPY', 'KWD', 'USD'),
      form,
      style,
      (value, currency, how, written) => {
        const text = write(value, currency, how, written);
        const amount = amountReader(how)(text);
        expect(amount && minorOf(amount, currency)).toBe(value);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a text is no amount or the one that it is written as', () => {
  const form = fc.constantFrom<AmountForm>(major, german, english, french);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0159.,-( )'), maxLength: 9 }), form, (text, how) => {
      const amount = amountReader(how)(text);
      if (!amount) return;
      // The digits stand in the text in this order, and nothing but signs between them.
      expect((amount.digits < 0n ? -amount.digits : amount.digits).toString()).toBe(
        text.replace(/[^0-9]/g, '').replace(/^0+(?=.)/, ''),
      );
    }),
    { numRuns: 5_000 },
  );
});
