import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { directionOf, MOVEMENT_ROW_TYPES, type MovementRow, type ReportRow } from './report-row.js';
import { ReportTotals } from './report-totals.js';

const common = { line: 2, transactionRef: null, payout: null, settledAt: null } as const;

function movement(over: Partial<MovementRow>): MovementRow {
  return {
    ...{ ...common, type: 'payment', reference: 'A_1', refundRef: null, currency: 'NGN', identity: '' },
    ...{ amount: { digits: 150_000n, decimals: 2 }, fee: null, net: null },
    ...over,
  };
}

const amount = (digits: bigint): MovementRow['amount'] => ({ digits, decimals: 2 });

test('rows come to their sums, by currency', () => {
  const totals = new ReportTotals();
  const rows: ReportRow[] = [
    movement({ fee: amount(2_250n) }),
    movement({ fee: amount(2_250n), net: amount(147_750n) }),
    movement({ type: 'refund', amount: amount(50_000n) }),
    movement({ type: 'chargeback', amount: amount(150_000n), fee: amount(1_000n) }),
    movement({ type: 'chargebackReversal', amount: amount(150_000n) }),
    movement({ type: 'paymentReversal', amount: amount(20_000n) }),
    { ...common, type: 'fee', reference: null, currency: 'NGN', amount: amount(500n) },
    { ...common, type: 'payout', currency: 'NGN', amount: amount(224_000n) },
    movement({ currency: 'JPY', amount: { digits: 500n, decimals: 0 } }),
    movement({ currency: null, amount: amount(1_000n) }),
  ];
  for (const row of rows) totals.add(row, row.currency ?? 'USD');
  // A row of another currency than the one that it is said to be in adds nothing.
  totals.add(movement({ currency: 'USD' }), 'NGN');
  expect(totals.list()).toEqual([
    {
      ...{ currency: 'JPY', gross: '500', fees: '0', net: '500', refunds: '0' },
      ...{ chargebacks: '0', reversals: '0', payouts: '0' },
    },
    {
      ...{ currency: 'NGN', gross: '3000.00', fees: '60.00', net: '2240.00', refunds: '500.00' },
      ...{ chargebacks: '1500.00', reversals: '1300.00', payouts: '2240.00' },
    },
    {
      ...{ currency: 'USD', gross: '10.00', fees: '0.00', net: '10.00', refunds: '0.00' },
      ...{ chargebacks: '0.00', reversals: '0.00', payouts: '0.00' },
    },
  ]);
});

test.each([
  ['what the merchant gets', [4_950n], '49.50'],
  ['what leaves the account', [-4_950n], '49.50'],
  ['one that came back', [4_950n, -4_950n], '0.00'],
  ['what leaves the account, and one that came back', [-4_950n, 4_950n, -4_950n], '49.50'],
])('payouts that say %s', (_, amounts, payouts) => {
  const totals = new ReportTotals();
  totals.add(movement({ amount: amount(5_000n), fee: amount(50n) }), 'NGN');
  for (const digits of amounts)
    totals.add({ ...common, type: 'payout', currency: 'NGN', amount: amount(digits) }, 'NGN');
  expect(totals.list()).toMatchObject([{ net: '49.50', payouts }]);
});

test.each([1_600n, -1_600n])('a payout of what the merchant owes, written as %d', (digits) => {
  const totals = new ReportTotals();
  totals.add(movement({ type: 'refund', amount: amount(1_600n) }), 'NGN');
  totals.add({ ...common, type: 'payout', currency: 'NGN', amount: amount(digits) }, 'NGN');
  expect(totals.list()).toMatchObject([{ net: '-16.00', payouts: '-16.00' }]);
});

test('the net is what the other sums come to, where no row has a net of its own', () => {
  const row = fc.record({
    type: fc.constantFrom(...MOVEMENT_ROW_TYPES),
    digits: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    fee: fc.option(fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n })),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), (rows) => {
      const totals = new ReportTotals();
      let [net, fees] = [0n, 0n];
      for (const { type, digits, fee } of rows) {
        totals.add(movement({ type, amount: amount(digits), fee: fee === null ? null : amount(fee) }), 'NGN');
        net += (directionOf(type) === 'in' ? digits : -digits) - (fee ?? 0n);
        fees += fee ?? 0n;
      }
      const [sum] = totals.list();
      if (!sum) throw new Error('There is a sum');
      const minor = (text: string): bigint => BigInt(text.replace('.', ''));
      expect([minor(sum.net), minor(sum.fees)]).toEqual([net, fees]);
      expect(
        minor(sum.gross) - minor(sum.refunds) - minor(sum.chargebacks) + minor(sum.reversals) - fees,
      ).toBe(net);
    }),
  );
});
