import { describe, expect, test } from '@jest/globals';
import { paymentIn, statuses } from '../../../test/harness/records.js';
import type { PaymentRecord } from '../../store/schema.js';
import { holdsMoney, moneyHeld } from './money-held.js';

test.each(statuses)('one that is %s holds money only if it is paid', (status) => {
  expect(holdsMoney(paymentIn(status))).toBe(status === 'succeeded');
});

describe('a paid one of 1500.00 holds', () => {
  test.each<[string, Partial<PaymentRecord>, bigint]>([
    ['all of it', {}, 150_000n],
    ['what was captured', { amountCaptured: 90_000n }, 90_000n],
    ['its amount where nobody said what was captured', { amountCaptured: null }, 150_000n],
    ['the rest of a refund', { amountRefunded: 10_000n }, 140_000n],
    ['nothing once all was refunded', { amountRefunded: 150_000n }, 0n],
    ['nothing once more was refunded', { amountRefunded: 160_000n }, 0n],
    ['nothing once what was captured was refunded', { amountCaptured: 90_000n, amountRefunded: 90_000n }, 0n],
    ['nothing once charged back', { disputed: true }, 0n],
    ['nothing once charged back whole', { disputed: true, amountDisputed: 150_000n }, 0n],
    ['the rest of a chargeback', { disputed: true, amountDisputed: 50_000n }, 100_000n],
    [
      'nothing once the rest was charged back',
      { amountRefunded: 50_000n, disputed: true, amountDisputed: 100_000n },
      0n,
    ],
    [
      'nothing once refunded and charged back',
      { amountRefunded: 150_000n, disputed: true, amountDisputed: 150_000n },
      0n,
    ],
    ['all of it once a chargeback was won', { disputed: false, amountDisputed: null }, 150_000n],
  ])('%s', (_name, over, held) => {
    const payment = paymentIn('succeeded', over);
    expect(moneyHeld(payment)).toBe(held);
    expect(holdsMoney(payment)).toBe(held > 0n);
  });
});
