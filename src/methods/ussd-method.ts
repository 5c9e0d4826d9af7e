import type { PlainMethod } from './method-descriptor.js';

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
