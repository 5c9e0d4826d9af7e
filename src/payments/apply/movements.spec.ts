import { expect, test } from '@jest/globals';
import { madeAt, operationRecord, paymentIn } from '../../../test/harness/records.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import { movementsOf, type MovingWrite } from './movements.js';

const paid: Partial<PaymentRecord> = { amountCaptured: 150_000n };

test.each<[string, PaymentRecord, PaymentRecord, [string, bigint, string][]]>([
  ['nothing moves', paymentIn('succeeded', paid), paymentIn('succeeded', paid), []],
  ['a hold', paymentIn('processing'), paymentIn('authorized'), []],
  ['a success', paymentIn('processing'), paymentIn('succeeded', paid), [['payment', 150_000n, 'in']]],
  [
    'a success with a refund in one answer',
    paymentIn('processing'),
    paymentIn('succeeded', { ...paid, amountRefunded: 50_000n }),
    [
      ['payment', 150_000n, 'in'],
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
    [['refund_reversal', 50_000n, 'in']],
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
    [['chargeback_reversal', 40_000n, 'in']],
  ],
  [
    'a void after a part was refunded',
    paymentIn('succeeded', { ...paid, amountRefunded: 50_000n }),
    paymentIn('voided', { ...paid, amountRefunded: 50_000n }),
    [['void', 100_000n, 'out']],
  ],
  ['a hold that is released', paymentIn('authorized'), paymentIn('voided', { amountCaptured: null }), []],
  [
    'what was heard of an unpaid payment, which counts once it is paid',
    paymentIn('processing', { amountRefunded: 50_000n, disputed: true, amountDisputed: 40_000n }),
    paymentIn('succeeded', { ...paid, amountRefunded: 50_000n, disputed: true, amountDisputed: 40_000n }),
    [
      ['payment', 150_000n, 'in'],
      ['refund', 50_000n, 'out'],
      ['chargeback', 40_000n, 'out'],
    ],
  ],
  [
    'more heard of an unpaid payment',
    paymentIn('processing'),
    paymentIn('failed', { amountRefunded: 50_000n, disputed: true, amountDisputed: 40_000n }),
    [],
  ],
])('%s', (_name, before, after, expected) => {
  expect(movesOf(before, after)).toEqual(expected);
});

function movesOf(
  before: PaymentRecord,
  after: PaymentRecord,
  more: Partial<MovingWrite> = {},
): [string, bigint, string][] {
  return entriesOf(before, after, more).map(({ kind, amount, direction }) => [kind, amount, direction]);
}

function entriesOf(before: PaymentRecord, after: PaymentRecord, more: Partial<MovingWrite> = {}) {
  const refunds = { done: [], returned: [] };
  return movementsOf({ before, after, refunds, operations: [], update: {}, ...more });
}

const refund = (amount: bigint, over: Partial<OperationRecord> = {}): OperationRecord =>
  operationRecord({ type: 'refund', id: `ref_${amount}`, amount, actor: 'merchant:ops-anna', ...over });
const given = (amountRefunded: bigint | null): PaymentRecord =>
  paymentIn('succeeded', { ...paid, amountRefunded });

test.each<[string, bigint | null, bigint | null, MovingWrite['refunds'], [string, bigint, string | null][]]>([
  [
    'a refund of our own',
    null,
    50_000n,
    { done: [refund(50_000n)], returned: [] },
    [['refund', 50_000n, 'ref_50000']],
  ],
  [
    'one of our own, and more that the gateway gave back by itself',
    10_000n,
    90_000n,
    { done: [refund(50_000n)], returned: [] },
    [
      ['refund', 50_000n, 'ref_50000'],
      ['refund', 30_000n, null],
    ],
  ],
  [
    'one that the gateway’s sum was known to hold before it was known to be ours',
    50_000n,
    50_000n,
    { done: [refund(50_000n)], returned: [] },
    [
      ['refund', 50_000n, 'ref_50000'],
      ['refund_reversal', 50_000n, null],
    ],
  ],
  [
    'one that came back',
    50_000n,
    null,
    { done: [], returned: [refund(50_000n)] },
    [['refund_reversal', 50_000n, 'ref_50000']],
  ],
  [
    'one that was never done, and that the sum had seemed to hold',
    80_000n,
    30_000n,
    { done: [], returned: [] },
    [['refund_reversal', 50_000n, null]],
  ],
])('%s', (_name, before, after, refunds, expected) => {
  const entries = entriesOf(given(before), given(after), { refunds });
  expect(entries.map(({ kind, amount, refundId }) => [kind, amount, refundId])).toEqual(expected);
  for (const { refundId, actor } of entries)
    expect(actor).toBe(refundId === null ? 'gateway' : 'merchant:ops-anna');
});

test('an entry says whose word it is, and when its money moved', () => {
  const hour = 3_600_000;
  const updatedAt = madeAt + 2 * hour;
  const unpaid = paymentIn('processing');
  const after = paymentIn('succeeded', { ...paid, paidAt: madeAt + hour, updatedAt, transactionRef: 'T1' });
  const [entry] = entriesOf(unpaid, after);
  expect(entry).toMatchObject({
    id: expect.stringMatching(/^mov_/) as unknown as string,
    ...{ paymentId: 'pay_1', reference: 'ORDER-1', gatewayReference: 'ORDER-1_1', transactionRef: 'T1' },
    ...{ currency: 'NGN', method: 'card', at: madeAt + hour, recordedAt: updatedAt },
    ...{ source: 'gateway', actor: 'gateway', refundId: null },
  });
  expect(entry?.id).toMatch(/^mov_/);
  const person = { resolved: true, actor: 'merchant:ops-anna' } as const;
  expect(entriesOf(unpaid, after, { update: person })[0]).toMatchObject({
    source: 'person',
    actor: 'merchant:ops-anna',
  });
  const report = { source: 'report', actor: 'merchant:books-bo' } as const;
  expect(entriesOf(unpaid, after, { update: report })[0]).toMatchObject({ source: 'report' });
  const complete = operationRecord({ type: 'complete', status: 'confirmed', actor: 'merchant' });
  expect(entriesOf(unpaid, after, { operations: [complete] })[0]).toMatchObject({ actor: 'merchant' });
});

test.each([
  ['before it was learned', -3_600_000, true],
  ['in the future', 1, false],
  ['long before the payment', -61 * 24 * 3_600_000, false],
])('a refund that the gateway dates %s', (_name, offset, believed) => {
  const after = { ...given(50_000n), updatedAt: madeAt };
  const [entry] = entriesOf(given(null), after, { update: { refundedAt: madeAt + offset } });
  expect(entry?.at).toBe(believed ? madeAt + offset : madeAt);
});
