import { describe, expect, test } from '@jest/globals';
import { withAttention } from './attention.js';
import { amountReceived } from './money-held.js';

const payment = {
  attentionReason: null,
  amount: 150_000n,
  amountCaptured: null,
  currency: 'NGN',
  gatewayReference: 'ORDER-1001_1',
};

/** By a disputed answer as it is kept: `meaning:amount:currency:reference[:given back]`. */
const after = (answer: string): bigint | null =>
  amountReceived({ ...payment, attentionReason: withAttention(null, { reason: 'mismatch', answer }) });

describe('the money that came', () => {
  test.each([
    ['a part', 'succeeded:100000::', 100_000n],
    ['too much', 'succeeded:200000:ngn:', 200_000n],
    ['a part, by its own reference', 'succeeded:1:NGN:ORDER-1001_1', 1n],
    ['a part, of which nothing was given back', 'succeeded:1:NGN:ORDER-1001_1:0', 1n],
    ['of another payment', 'succeeded:100000:NGN:ORDER-1001_10', null],
    ['in another currency', 'succeeded:150000:USD:', null],
    ['what is owed', 'succeeded:150000:NGN:ORDER-1001_1', null],
    ['an amount that nobody can read', 'succeeded:unreadable:NGN:', null],
    ['a wait with another amount', 'processing:100000:NGN:', null],
  ])('%s', (_, answer, received) => {
    expect(after(answer)).toBe(received);
  });

  test('is not known without a word of the gateway', () => {
    expect(amountReceived(payment)).toBeNull();
    const attentionReason = 'contradicting_answer succeeded:100000:NGN:';
    expect(amountReceived({ ...payment, attentionReason })).toBeNull();
  });
});
