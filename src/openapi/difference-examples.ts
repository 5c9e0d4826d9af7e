import { waitingApproval } from './approval-examples.js';

/** What is sent to work off differences, by operation and name. */
export const differenceRequests = {
  'differences.close': {
    corrected: { reason: 'gateway_corrected', note: 'The gateway takes it back with its next payout.' },
  },
  'differences.reopen': { silent: {}, note: { note: 'The next payout did not have it.' } },
  'differences.note': { note: { note: 'Asked the gateway on 21 November.' } },
};

/** A write-off that waits for a second person. */
export const waitingWriteOff = {
  approval: {
    ...waitingApproval,
    kind: 'write_off',
    differenceId: 'dif_mi7v0s2k3q2x7wRrUtQ1yZ0a',
    reason: 'Not worth a letter.',
  },
};

/** A row of a report that waits for a second person before it is taken over. */
export const waitingAdoption = {
  approval: {
    ...waitingApproval,
    kind: 'adopt',
    paymentId: null,
    reference: null,
    differenceId: 'dif_mi7v0s2k3q2x7wRrUtQ1yZ0a',
    reason: null,
  },
};
