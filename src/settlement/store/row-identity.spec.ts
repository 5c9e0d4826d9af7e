import { describe, expect, test } from '@jest/globals';
import { negated, type FileAmount } from '../files/file-amount.js';
import type { FeeRow, PayoutRow } from '../files/report-row.js';
import { matchRows } from '../match/match-rows.js';
import { evidenceOf, type KeptRow } from '../match/kept-row.js';
import { identityOf } from './settlement-rows.repository.js';

/** Files of one gateway may count in different units. */

const SAME: [currency: string, ...FileAmount[]][] = [
  [
    'NGN',
    { digits: 150_000n, decimals: 2 },
    { digits: 150_000n, decimals: null },
    { digits: 1_500n, decimals: 0 },
  ],
  [
    'JPY',
    { digits: 1_500n, decimals: 0 },
    { digits: 1_500n, decimals: null },
    { digits: 150_000n, decimals: 2 },
  ],
];
const said = { transactionRef: 'T-1', payout: 'PO-1', settledAt: { from: 1, until: 2 } };

describe.each(SAME)('an amount in %s', (currency, ...amounts) => {
  test('of a payout or of a fee is the same in every unit, and another one is not', () => {
    const payouts = amounts.map((amount, line): PayoutRow => ({
      ...said,
      line,
      type: 'payout',
      currency,
      amount,
    }));
    const fees = amounts.map((amount, line): FeeRow => ({
      ...said,
      line,
      type: 'fee',
      reference: null,
      currency,
      amount,
    }));
    const negative = payouts.map((row) => ({ ...row, amount: negated(row.amount) }));
    expect(new Set([...payouts, ...negative].map(identityOf)).size).toBe(1);
    expect(new Set(fees.map(identityOf)).size).toBe(1);
    const other = {
      ...said,
      line: 9,
      type: 'payout',
      currency,
      amount: { digits: 150_001n, decimals: null },
    } as const;
    expect(payouts.map(identityOf)).not.toContain(identityOf(other));
  });

  test('of an unknown sale is that of its reversal in every unit', () => {
    const rows = amounts.slice(0, 2).map((amount, n): KeptRow => ({
      ...{
        line: 2,
        nth: 1,
        settlementId: `stl_${n}`,
        type: n === 0 ? 'payment' : 'paymentReversal',
        amount,
        currency,
      },
      ...{
        reference: 'G_1',
        transactionRef: null,
        refundRef: null,
        payout: null,
        fee: null,
        net: null,
        settledAt: null,
      },
      identity: `i${n}`,
    }));
    const { findings, canceled } = matchRows(evidenceOf(rows).rows, undefined);
    expect([findings, canceled.length]).toEqual([[], 2]);
  });
});
