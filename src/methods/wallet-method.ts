import type { PlainMethod } from './method-descriptor.js';
import { redirectAction, redirectDescription } from './redirect-action.js';

/** Payment with the partner wallet: the payer pays on its cashier page. */
export const walletMethod: PlainMethod<object, 'email'> = {
  name: 'wallet',
  initiation: 'initiateWallet',
  statusQuery: 'transactionStatus',
  requires: ['initiateWallet', 'transactionStatus'],
  assumed: ['transactionStatus', 'void'],
  carriesSecrets: false,
  finishesAtOnce: false,
  takesOtp: false,
  countsDeclines: false,
  needs: { payer: ['email'], billing: [] },
  nextActions: [redirectDescription],
  fillAction: (answer, _order, mode) => redirectAction(answer, mode),
  begin: (gateway, order, { email: payerEmail }, _body, gate) =>
    gateway.initiateWallet({ ...order, payerEmail }, gate),
};
