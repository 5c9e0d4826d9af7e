const paid = {
  day: '2031-01-31',
  status: 'succeeded',
  currency: 'NGN',
  count: 41,
  amount: '61500.00',
  captured: '61000.00',
  refunded: '1500.00',
};

/** A summary by day, for the description of the API. */
export const SUMMARY_EXAMPLE = {
  data: [
    { ...paid, status: 'failed', count: 3, amount: '4500.00', captured: '0.00', refunded: '0.00' },
    paid,
  ],
};

/** An overview. */
export const OVERVIEW_EXAMPLE = {
  at: '2031-01-31T10:04:05.678Z',
  paid: [{ day: '2031-01-31', currency: 'NGN', count: 41, captured: '61000.00', refunded: '1500.00' }],
  methods: [{ method: 'card', paid: 41, notPaid: 3 }],
  open: {
    processing: 1,
    requiresAction: 2,
    authorized: 0,
    needsAttention: 1,
    duplicates: 0,
    oldest: { paymentId: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E', createdAt: '2031-01-30T22:51:09.114Z' },
  },
  undeliveredEvents: 0,
  lastSettlement: null,
};
