import type { PlainMethod } from './method-descriptor.js';
import { redirectAction, redirectDescription } from './redirect-action.js';

/** Payment with the partner wallet: the payer pays on its cashier page. */
export const walletMethod: PlainMethod = {
  name: 'wallet',
  initiation: 'initiateWallet',
  statusQuery: 'transactionStatus',
  requires: ['initiateWallet', 'transactionStatus'],
  assumed: ['transactionStatus', 'void'],
  carriesSecrets: false,
  finishesAtOnce: false,
  takesOtp: false,
  countsDeclines: false,
  nextActions: [redirectDescription],
  fillAction: (answer, _order, mode) => redirectAction(answer, mode),
  begin: (gateway, order, _body, gate) => gateway.initiateWallet(order, gate),
};
