import type { FollowedMethod } from './method-descriptor.js';

/**
 * How a payment was paid that was taken over from a settlement report. Nothing can be started by it, and nothing is left for its payer
 * to do.
 */
export const unknownMethod: FollowedMethod = {
  name: 'unknown',
  statusQuery: 'transactionStatus',
  finishesAtOnce: false,
  takesOtp: false,
  countsDeclines: false,
  nextActions: [],
  fillAction: () => undefined,
};
