import { expect, test } from '@jest/globals';
import { paymentIn, statuses } from '../../../test/harness/records.js';
import { RECORDED_METHODS } from '../../store/schema.js';
import { isBeingCharged, isStillCharged } from './payment-state.js';

test.each(statuses)('of payments that are %s, only a card in processing is being charged', (status) => {
  for (const method of RECORDED_METHODS) {
    const charged = status === 'processing' && method === 'card';
    expect([method, isBeingCharged(paymentIn(status, { method }))]).toEqual([method, charged]);
  }
});

test.each([
  ['processing', true],
  ['otp', false],
  ['pin', false],
  ['redirect', false],
  ['unsupported', false],
] as const)('%s: still being charged is %s', (meaning, still) => {
  expect(isStillCharged(paymentIn('processing'), meaning)).toBe(still);
  expect(isStillCharged(paymentIn('requires_action'), meaning)).toBe(false);
  expect(isStillCharged(paymentIn('processing', { method: 'wallet' }), meaning)).toBe(false);
});
