import { expect, test } from '@jest/globals';
import { paymentIn } from '../../../test/harness/records.js';
import type { PaymentRecord } from '../../store/schema.js';
import { movementsOf } from './movements.js';

const paid: Partial<PaymentRecord> = { amountCaptured: 150_000n };

test.each<[string, PaymentRecord, PaymentRecord, [string, bigint, string][]]>([
  ['nothing moves', paymentIn('succeeded', paid), paymentIn('succeeded', paid), []],
  ['a hold', paymentIn('processing'), paymentIn('authorized'), []],
  ['a success', paymentIn('processing'), paymentIn('succeeded', paid), [['charge', 150_000n, 'in']]],
  [
    'a success with a refund in one answer',
    paymentIn('processing'),
    paymentIn('succeeded', { ...paid, amountRefunded: 50_000n }),
    [
      ['charge', 150_000n, 'in'],
      ['refund', 50_000n, 'out'],
    ],
  ],
  [
    'another amount, on a person’s word',
    paymentIn('succeeded', paid),
    paymentIn('succeeded', { amountCaptured: 140_000n }),
    [['correction', 10_000n, 'out']],
  ],
  [
    'a refund that came back',
    paymentIn('succeeded', { ...paid, amountRefunded: 50_000n }),
    paymentIn('succeeded', { ...paid, amountRefunded: null }),
    [['refund_returned', 50_000n, 'in']],
  ],
  [
    'a chargeback',
    paymentIn('succeeded', paid),
    paymentIn('succeeded', { ...paid, disputed: true, amountDisputed: 40_000n }),
    [['chargeback', 40_000n, 'out']],
  ],
  [
    'a dispute that was won',
    paymentIn('succeeded', { ...paid, disputed: true, amountDisputed: 40_000n }),
    paymentIn('succeeded', paid),
    [['dispute_won', 40_000n, 'in']],
  ],
  [
    'a void after a part was refunded',
    paymentIn('succeeded', { ...paid, amountRefunded: 50_000n }),
    paymentIn('voided', { ...paid, amountRefunded: 50_000n }),
    [['void', 100_000n, 'out']],
  ],
  ['a hold that is released', paymentIn('authorized'), paymentIn('voided', { amountCaptured: null }), []],
])('%s', (_name, before, after, movements) => {
  expect(movementsOf(before, after)).toEqual(
    movements.map(([kind, amount, direction]) => ({ kind, amount, direction })),
  );
});
