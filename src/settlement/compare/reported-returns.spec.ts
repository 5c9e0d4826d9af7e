import { expect, test } from '@jest/globals';
import type { SettlementReturnRecord } from '../../store/schema.js';
import { reportedRefunds, returnedBefore } from './reported-returns.js';

const row = (
  settlementId: string,
  line: number,
  identity: string,
  digits = 500n,
): SettlementReturnRecord => ({
  ...{ settlementId, line, identity, reference: 'ORDER-1_1', kind: 'refund' },
  ...{ amount: digits, decimals: 0, currency: 'NGN' },
});
const own = row('stl_now', 9, 'a');
const payment = { currency: 'NGN' };

test.each<[string, SettlementReturnRecord[], bigint | undefined]>([
  ['nothing before it', [], 0n],
  ['an equal row of another report: it is that one', [row('stl_1', 2, 'a')], undefined],
  ['an equal row of its own report: it is a second one', [row('stl_now', 2, 'a')], 50_000n],
  [
    'an equal row of its own report and of another: it is a second one',
    [row('stl_1', 2, 'a'), row('stl_now', 2, 'a')],
    50_000n,
  ],
  [
    'two equal rows of another report, one of its own: it is the second of those',
    [row('stl_1', 2, 'a'), row('stl_1', 3, 'a'), row('stl_now', 2, 'a')],
    undefined,
  ],
  [
    'another row in two reports: that is one movement',
    [row('stl_1', 2, 'b', 200n), row('stl_2', 2, 'b', 200n)],
    20_000n,
  ],
  ['a chargeback: that is no refund', [{ ...row('stl_1', 2, 'b'), kind: 'chargeback' }], 0n],
  ['a row of another currency: it has no sum', [{ ...row('stl_1', 2, 'b'), currency: 'USD' }], 0n],
])('with %s', (_name, kept, before) => {
  expect(returnedBefore(own, kept, payment)).toBe(before);
});

test('refunds that several reports name are counted once', () => {
  const kept = [row('stl_1', 2, 'a'), row('stl_1', 3, 'a'), row('stl_2', 2, 'a'), row('stl_2', 3, 'b', 100n)];
  expect(reportedRefunds(kept, 'NGN')).toEqual({ rows: 3, amount: 110_000n });
});
