import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatMajor } from '../money/money.js';
import { approvalAbove, approvalBounds } from './approval-above.js';

describe('APPROVAL_ABOVE', () => {
  test.each([
    ['NGN:500000.00,USD:1000.00', { NGN: 50_000_000n, USD: 100_000n }],
    ['NGN:500000', { NGN: 50_000_000n }],
    [' NGN:1.5 , JPY:1000 ,KWD:1.234', { NGN: 150n, JPY: 1000n, KWD: 1234n }],
    ['NGN:0', { NGN: 0n }],
  ])('reads %j', (text, bounds) => {
    expect(approvalAbove(text)).toBeUndefined();
    expect(Object.fromEntries(approvalBounds(text))).toEqual(bounds);
  });

  test('bounds nothing where it is not set', () => {
    expect(approvalBounds(undefined).size).toBe(0);
  });

  test.each([
    ['', /^entry 1 is not a currency and an amount/],
    ['500000.00', /^entry 1 is not a currency and an amount/],
    ['NGN:1:2', /^entry 1 is not a currency and an amount/],
    ['ngn:1', /^entry 1 names no currency/],
    ['XXY:1', /^entry 1 names no currency/],
    ['NGN:', /^entry 1 is no amount of its currency, which has 2 minor digits$/],
    ['NGN:-1', /^entry 1 is no amount/],
    ['NGN:1.001', /^entry 1 is no amount of its currency, which has 2 minor digits$/],
    ['JPY:1.0', /^entry 1 is no amount of its currency, which has 0 minor digits$/],
    ['NGN:1,,USD:1', /^entry 2 is not a currency and an amount/],
    ['NGN:1,NGN:2', /^entry 2 names a currency that an entry before it names$/],
    ['NGN:1.001,ABC:1,USD:x', /^entry 1 is no amount.*; entry 2 names no currency.*; entry 3 is no amount/],
  ])('refuses %j and names every fault', (text, fault) => {
    expect(approvalAbove(text)).toMatch(fault);
  });

  test('any bounds are read as they were written', () => {
    const bounds = fc.dictionary(fc.constantFrom('NGN', 'USD', 'JPY', 'KWD'), fc.bigInt(0n, 10n ** 12n), {
      minKeys: 1,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(bounds, (wanted) => {
        const text = Object.entries(wanted)
          .map(([currency, minor]) => `${currency}:${formatMajor(minor, currency)}`)
          .join(',');
        expect(approvalAbove(text)).toBeUndefined();
        expect(Object.fromEntries(approvalBounds(text))).toEqual(wanted);
      }),
    );
  });
});
