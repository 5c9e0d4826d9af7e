import { answerExpiry } from '../gateway/answers/answer-expiry.js';
import { formatMajor } from '../money/money.js';
import type { PlainMethod } from './method-descriptor.js';

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
