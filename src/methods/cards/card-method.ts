import type { MethodDescriptor } from '../method-descriptor.js';
import { challengeDescriptions, redirectAction, redirectDescription } from '../next-action.js';

/**
 * Payment by card. It is the only method whose money can be held and completed later, and whose first answer can be "paid".
 */
export const cardMethod = {
  name: 'card',
  initiation: 'payCard',
  statusQuery: 'transactionStatus',
  requires: ['payCard', 'transactionStatus'],
  assumed: ['validateOtp', 'transactionStatus', 'complete', 'void'],
  carriesSecrets: true,
  finishesAtOnce: true,
  takesOtp: true,
  countsDeclines: true,
  nextActions: [redirectDescription, ...challengeDescriptions],
  fillAction: (answer, _order, mode) => redirectAction(answer, mode),
} as const satisfies MethodDescriptor;
