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
