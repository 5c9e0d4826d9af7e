import { expect, test } from '@jest/globals';
import { openNames, withoutNotesOf, type PaymentName } from './payment-name.js';

const name = (n: number, over: Partial<PaymentName> = {}): PaymentName => ({
  n,
  source: 'notification',
  at: 1,
  ...over,
});
const released = { by: 'merchant', at: 2, note: 'seen by Ada' };

test('those that are open come in their order', () => {
  expect(openNames([name(5), name(1, { released }), name(2)]).map(({ n }) => n)).toEqual([2, 5]);
});

test('what people wrote can be erased', () => {
  expect(withoutNotesOf([name(1)], '-')).toBeUndefined();
  expect(withoutNotesOf([name(1), name(2, { released })], '-')).toEqual([
    name(1),
    name(2, { released: { ...released, note: '-' } }),
  ]);
});
