import { expect, test } from '@jest/globals';
import type { KnownMoney, KnownMovement } from './known-money.js';
import { orderDifferences } from './order-differences.js';

const payment: KnownMoney['payment'] = {
  ...{ id: 'pay_1', reference: 'A', gatewayReference: 'A_1', status: 'succeeded', currency: 'NGN' },
  ...{ method: 'card', cardBrand: null },
};
const place = { reference: 'A', settlementId: 'stl_1', line: 2, listAt: 1 };
const moved = (kind: KnownMovement['kind'], amount: bigint): KnownMovement => ({
  ...{ id: `mov_${kind}`, kind, direction: kind === 'payment' ? 'in' : 'out', amount, at: 1 },
  ...{ transactionRef: null, refundId: null, refundRef: null },
});

test.each([
  ['was voided', [moved('payment', 800n), moved('void', 800n)], 800n, 0n],
  ['was given back whole', [moved('payment', 800n), moved('refund', 800n)], 800n, 0n],
  ['was paid with less', [moved('payment', 700n)], 800n, 700n],
] as const)(
  'an order that is listed as paid and %s differs by what its payment holds',
  (_, movements, listed, held) => {
    const order = { amount: { digits: listed, decimals: null }, currency: 'NGN', standing: 'paid' as const };
    expect(orderDifferences(place, order, [{ payment, movements, refunds: [] }])).toMatchObject([
      { kind: 'order_not_paid', expectedAmount: held, expectedCurrency: 'NGN', foundAmount: listed },
    ]);
  },
);
