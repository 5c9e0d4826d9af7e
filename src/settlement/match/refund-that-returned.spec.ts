import { expect, test } from '@jest/globals';
import type { KeptRow } from './kept-row.js';
import type { KnownMoney, KnownMovement } from './known-money.js';
import { matchRows } from './match-rows.js';
import { refundThatReturned } from './match-back.js';

const DAY_MS = 24 * 3_600_000;
const payment: KnownMoney['payment'] = {
  ...{ id: 'pay_1', reference: 'A', gatewayReference: 'A_1', status: 'succeeded', currency: 'NGN' },
  ...{ method: 'card', cardBrand: null },
};

/** A refund of 3.00 by this number, made on that day. */
function refund(number: number, over: Partial<KnownMovement> = {}): KnownMovement {
  return {
    ...{ id: `mov_${number}`, kind: 'refund', direction: 'out', amount: 300n, at: number * DAY_MS },
    ...{ transactionRef: null, refundId: `ref_${number}`, refundRef: `A_1_r${number}` },
    ...over,
  };
}

function row(over: Partial<KeptRow> = {}): KeptRow {
  return {
    ...{ settlementId: 'stl_1', line: 2, nth: 1, type: 'refundReversal', reference: 'A_1', identity: 'x' },
    ...{
      transactionRef: null,
      refundRef: null,
      currency: 'NGN',
      settledAt: null,
      fee: null,
      net: null,
      payout: null,
    },
    amount: { digits: 300n, decimals: null },
    ...over,
  };
}

const at = (day: number): KeptRow['settledAt'] => ({ from: day * DAY_MS, until: day * DAY_MS });
const found = (
  one: KeptRow,
  movements: readonly KnownMovement[],
  taken: readonly string[] = [],
): string | null | undefined => {
  const known: KnownMoney = { payment, movements, refunds: [] };
  return refundThatReturned(one, known, new Set(taken))?.refundId;
};

test('the refund that the row names, and no other', () => {
  const movements = [refund(1), refund(2)];
  expect(found(row({ refundRef: 'A_1_r2' }), movements)).toBe('ref_2');
  const other = { refundRef: 'A_1_r2', amount: { digits: 200n, decimals: null } };
  expect(found(row(other), movements)).toBeUndefined();
  expect(found(row({ refundRef: 'A_1_r2' }), movements, ['ref_2'])).toBeUndefined();
  // A name that is the gateway's own says nothing here.
  expect(found(row({ refundRef: 'GW-77' }), [refund(1)])).toBe('ref_1');
});

test('otherwise one of its amount: of its transaction, the newest up to its day, the oldest', () => {
  const movements = [refund(3), refund(1), refund(2, { transactionRef: 'T-2' }), refund(4, { amount: 400n })];
  expect(found(row({ transactionRef: 'T-2', settledAt: at(9) }), movements)).toBe('ref_2');
  expect(found(row({ settledAt: at(2) }), movements)).toBe('ref_2');
  expect(found(row({ settledAt: at(9) }), movements)).toBe('ref_3');
  expect(found(row(), movements)).toBe('ref_1');
  expect(found(row(), movements, ['ref_1', 'ref_2'])).toBe('ref_3');
});

test('none that came back already, of another currency, or that was not made here', () => {
  const back = refund(1, { id: 'mov_9', kind: 'refund_reversal', direction: 'in', at: 5 * DAY_MS });
  expect(found(row(), [refund(1), back])).toBeUndefined();
  expect(found(row({ currency: 'USD' }), [refund(1)])).toBeUndefined();
  expect(found(row(), [refund(1, { refundId: null, refundRef: null })])).toBeUndefined();
});

test('a chargeback that the report takes back says nothing of a refund of its amount', () => {
  const known: KnownMoney = { payment, movements: [refund(1)], refunds: [] };
  const rows = [row({ type: 'chargeback' }), row({ type: 'chargebackReversal', line: 3, identity: 'y' })];
  expect(matchRows(rows, known).findings).toEqual([]);
});
