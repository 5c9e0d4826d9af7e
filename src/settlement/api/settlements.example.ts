/** A report as the built-in profile expects it. */
export const REPORT_EXAMPLE = [
  'reference,transactionRef,type,amount,fee,currency,status,settledAt',
  'ORDER-1001_1,SBX81C2E0D4,PAYMENT,1500.00,22.50,NGN,SETTLED,2026-11-30T06:00:00Z',
  'ORDER-0977_1,SBX52F6A1B8,REFUND,500.00,0.00,NGN,SETTLED,2026-11-30T06:00:00Z',
  '',
].join('\n');

/** A merchant's own list. */
export const ORDERS_EXAMPLE = ['reference,amount,currency,status', 'ORDER-1001,1500.00,NGN,paid', ''].join(
  '\n',
);

const compared = {
  id: 'stl_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  livemode: false,
  receivedAt: '2031-01-31T08:00:00.000Z',
  actor: 'merchant:ops-anna',
  from: '2031-01-01T06:00:00.000Z',
  to: '2031-01-31T06:00:00.000Z',
  rows: 1204,
  skipped: { fee: 3 },
  counts: {
    ...{ amount_differs: 0, not_paid_here: 1, unknown_here: 2, missing_there: 0 },
    ...{ twice_there: 0, refund_unknown_here: 0, chargeback_unknown_here: 0 },
  },
  orders: null,
  adoption: null,
};

/** Settlement reports as they are answered. */
export const SETTLEMENT_EXAMPLE = compared;
export const WITH_ORDERS_EXAMPLE = {
  ...compared,
  counts: { ...compared.counts, order_not_paid: 1, order_paid_twice: 0, order_unknown: 0 },
  orders: { rows: 1200, receivedAt: '2031-01-31T08:05:00.000Z' },
};
export const ADOPTED_EXAMPLE = {
  ...compared,
  adoption: { waiting: 0, adopted: 2, adoptedOnWord: 0, left: 0 },
};
export const LIST_EXAMPLE = { data: [compared], nextCursor: null };
export const DIFFERENCES_EXAMPLE = {
  data: [
    {
      kind: 'not_paid_here',
      row: 412,
      reference: 'ORDER-1001_1',
      paymentId: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
      amount: '1500.00',
      currency: 'NGN',
      state: 'asked',
    },
  ],
  nextCursor: '1',
};
