import { expect, test } from '@jest/globals';
import { PayoutSums, type PayoutPart } from './payouts.js';

const part = (type: PayoutPart['type'], digits: bigint, more: Partial<PayoutPart> = {}): PayoutPart => ({
  ...{ type, amount: { digits, decimals: 2 }, fee: null, net: null, currency: 'NGN', nth: 1, line: 2 },
  ...{ settlementId: 'stl_1', rowsId: 'r', transactionRef: null, identity: 'x', settledFrom: null },
  ...more,
});
const found = (...parts: PayoutPart[]): string[] => {
  const sums = new PayoutSums();
  for (const one of parts) sums.add(one);
  return sums
    .differences('po_1')
    .map(({ expectedAmount, foundAmount }) => `${expectedAmount} ${foundAmount}`);
};

test.each([1n, -1n])('a payout agrees with its net, written with the sign %d', (sign) => {
  expect(found(part('payment', 500n), part('payout', sign * 500n))).toEqual([]);
  expect(found(part('payment', 500n), part('payout', sign * 400n))).toEqual(['500 400']);
});

test.each([1n, -1n])('what is collected from the merchant agrees too, written with the sign %d', (sign) => {
  expect(found(part('refund', 500n), part('payout', sign * 500n))).toEqual([]);
  expect(found(part('refund', 500n), part('payout', sign * 400n))).toEqual(['-500 -400']);
});

test('a payout that came back was not paid out', () => {
  const [out, back] = [part('payout', -495n), part('payout', 495n, { line: 3 })];
  expect(found(part('payment', 495n), out, back)).toEqual(['495 0']);
  expect(found(part('payment', 495n), out, back, part('payout', -495n, { line: 4 }))).toEqual([]);
});
