import type { PlainMethod } from './method-descriptor.js';
import { redirectAction, redirectDescription } from './next-action.js';
import { answerExpiry } from '../gateway/gateway-result.js';
import { formatMajor } from '../money/money.js';

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

/** Payment by bank transfer: the payer gets an account to pay into. */
export const transferMethod: PlainMethod = {
  name: 'transfer',
  initiation: 'initiateTransfer',
  statusQuery: 'transferUssdStatus',
  requires: ['initiateTransfer', 'transferUssdStatus'],
  assumed: ['initiateTransfer', 'transferUssdStatus', 'void'],
  carriesSecrets: false,
  finishesAtOnce: false,
  takesOtp: false,
  countsDeclines: false,
  nextActions: [
    {
      type: 'transfer',
      description: 'The payer must transfer exactly `amount` to this account.',
      properties: {
        bankName: { type: 'string' },
        accountNumber: { type: 'string' },
        accountName: {
          type: ['string', 'null'],
          description: 'Whose account it is; null where the gateway does not say.',
        },
        amount: { type: 'string', description: 'Decimal, in major units: exactly this.' },
        expiresAt: {
          type: 'string',
          format: 'date-time',
          description: 'RFC 3339, UTC. After that the account accepts no money.',
        },
      },
      required: ['bankName', 'accountNumber', 'accountName', 'amount'],
    },
  ],
  fillAction(answer, { amount, currency }) {
    const { accountNumber, bankName, accountName = null } = answer;
    if (accountNumber === undefined || bankName === undefined) return undefined;
    const expiry = answerExpiry(answer);
    return {
      type: 'transfer',
      bankName,
      accountNumber,
      accountName,
      amount: formatMajor(amount, currency),
      ...(expiry !== undefined && { expiresAt: new Date(expiry).toISOString() }),
    };
  },
  begin: (gateway, order, _body, gate) => gateway.initiateTransfer(order, gate),
};

/** Payment by USSD: the payer dials a code of the chosen bank. */
export const ussdMethod: PlainMethod<{ bankCode: string }> = {
  name: 'ussd',
  initiation: 'generateUssdCode',
  statusQuery: 'transferUssdStatus',
  requires: ['listUssdBanks', 'generateUssdCode', 'transferUssdStatus'],
  assumed: ['listUssdBanks', 'generateUssdCode', 'transferUssdStatus', 'void'],
  carriesSecrets: false,
  finishesAtOnce: false,
  takesOtp: false,
  countsDeclines: false,
  nextActions: [
    {
      type: 'ussd',
      description: 'The payer must dial this code on the phone that belongs to their bank account.',
      properties: {
        code: { type: 'string', description: 'What to dial.' },
        bankName: { type: 'string' },
      },
      required: ['code'],
    },
  ],
  fillAction({ ussdCode, bankName }) {
    if (ussdCode === undefined) return undefined;
    return { type: 'ussd', code: ussdCode, ...(bankName !== undefined && { bankName }) };
  },
  begin: (gateway, order, { bankCode }, gate) => gateway.generateUssdCode({ ...order, bankCode }, gate),
};
