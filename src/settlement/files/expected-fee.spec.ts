import { expect, test } from '@jest/globals';
import type { ExpectedFee } from '../../gateway/profile/format.js';
import { expectedFee, type FeeSubject } from './expected-fee.js';

const fees: readonly ExpectedFee[] = [
  { currency: 'NGN', method: 'card', brand: 'verve', percent: '1', fixed: '0.00' },
  { currency: 'NGN', method: 'card', percent: '1.5', fixed: '100.00', cap: '2000.00', tolerance: '0.01' },
  { currency: 'NGN', percent: '0', fixed: '50.00' },
  { currency: 'JPY', percent: '3.25', fixed: '0' },
];

test.each<[string, Partial<FeeSubject>, { fee: bigint; tolerance: bigint } | undefined]>([
  ['the first that fits', { brand: 'VERVE' }, { fee: 1_500n, tolerance: 0n }],
  ['a percentage and more', {}, { fee: 12_250n, tolerance: 1n }],
  ['of another brand', { brand: 'visa' }, { fee: 12_250n, tolerance: 1n }],
  ['no more than its cap', { amount: 100_000_000n }, { fee: 200_000n, tolerance: 1n }],
  ['of any method', { method: 'transfer' }, { fee: 5_000n, tolerance: 0n }],
  ['a half is rounded up', { currency: 'JPY', amount: 200n }, { fee: 7n, tolerance: 0n }],
  ['less is rounded down', { currency: 'JPY', amount: 190n }, { fee: 6n, tolerance: 0n }],
  ['of no other currency', { currency: 'USD' }, undefined],
])('the fee that is expected: %s', (_, over, expected) => {
  expect(
    expectedFee(fees, { currency: 'NGN', method: 'card', brand: null, amount: 150_000n, ...over }),
  ).toEqual(expected);
});
