import { describe, expect, test } from '@jest/globals';
import { HOUR, madeAt, paymentIn } from '../../../test/harness/records.js';
import type { PaymentRecord, PaymentStatus } from '../../store/schema.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { attentionOf, isAttentionOver } from './attention-rules.js';

const at = madeAt + 100 * HOUR;
const reasonOf = (over: Partial<PaymentRecord>, update: PaymentUpdate = {}) =>
  attentionOf(paymentIn('processing', over), update, {
    before: paymentIn('processing'),
    late: false,
    at,
    voidDuplicates: false,
    voidDenied: false,
  })[0]?.reason;

test.each<[string, Partial<PaymentRecord>, string | undefined]>([
  ['a card that has just not been charged for 2 hours', { openSince: at - 2 * HOUR + 1 }, undefined],
  ['a card that has been charged for 2 hours', { openSince: at - 2 * HOUR }, 'being_charged'],
  ['a card that has been charged for 4 days', { openSince: at - 96 * HOUR }, 'being_charged'],
  ['a wallet after 2 hours', { method: 'wallet', openSince: at - 2 * HOUR }, undefined],
  ['a wallet after 3 days', { method: 'wallet', openSince: at - 72 * HOUR }, 'no_conclusive_answer'],
  [
    'a card that waits for its payer, after 2 hours',
    { status: 'requires_action', openSince: at - 2 * HOUR },
    undefined,
  ],
])('%s', (_name, over, reason) => {
  expect(reasonOf(over)).toBe(reason);
  expect(reasonOf(over, { conclusive: true })).toBeUndefined();
});

describe('attention because a card is being charged', () => {
  const charged = { reason: 'being_charged' } as const;
  const isOver = (status: PaymentStatus, update: PaymentUpdate) =>
    isAttentionOver(charged, paymentIn(status), update);

  test('goes with the charge', () => {
    expect(isOver('processing', { answered: true, waiting: true })).toBe(false);
    expect(isOver('processing', { conclusive: true })).toBe(false);
    for (const status of ['requires_action', 'succeeded', 'authorized', 'failed'] as const)
      expect(isOver(status, { conclusive: true })).toBe(true);
  });

  test('goes with a person’s word', () => {
    expect(isOver('failed', { resolved: true })).toBe(true);
  });
});
