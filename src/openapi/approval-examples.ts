const MOVED = '2031-01-01T10:04:05.678Z';

/** An approval as it is shown. */
const waitingApproval = {
  id: 'apr_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  kind: 'refund',
  state: 'waiting',
  amount: '750000.00',
  currency: 'NGN',
  paymentId: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  reference: 'ORDER-1001',
  differenceId: null,
  reason: 'The order was sent back.',
  askedBy: 'merchant:ops-anna',
  createdAt: MOVED,
  expiresAt: '2031-01-08T10:04:05.678Z',
  decidedBy: null,
  decidedAt: null,
  note: null,
};
const approved = {
  ...waitingApproval,
  state: 'approved',
  decidedBy: 'merchant:ops-ben',
  decidedAt: '2031-01-01T11:20:00.000Z',
  note: 'Checked with the warehouse.',
};
export const approvals = {
  waiting: waitingApproval,
  approvedRefund: { approval: approved },
  approvedResolution: { approval: { ...approved, kind: 'resolve' } },
  declinedRefund: { approval: { ...approved, state: 'declined' }, result: null },
};
