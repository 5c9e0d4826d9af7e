import { describe, expect, test } from '@jest/globals';
import { defaultProfile } from '../gateway/profile/default-profile.js';
import { parseProfile } from '../gateway/profile/load.js';
import { reportProfile, type ProfileReport } from './profile-report.js';

function report(file: object): ProfileReport {
  return reportProfile(parseProfile(JSON.stringify(file)), ['wallet']);
}

/** Noted of the built-in profile, for nobody knows where the gateway repeats the reference. */
const NO_REFERENCE = {
  place: '/outcome/reference',
  message:
    'is empty for transactionStatus and transferUssdStatus: status answers are not checked for your reference. Name its place here',
};

describe('the report on a profile', () => {
  test('has nothing to say about the built-in one but what is unconfirmed', () => {
    expect(reportProfile(defaultProfile, ['wallet'])).toEqual({
      changes: [],
      confirmed: [],
      unconfirmed: ['transactionStatus', 'void', 'outcome', 'notification'],
      notes: [NO_REFERENCE],
      asked: { wallet: { payer: ['email'], billing: [], card: [], device: [] } },
    });
  });

  test('names each value that differs, once and where it stands', () => {
    const { changes, confirmed, unconfirmed } = report({
      operations: {
        validateOtp: { path: '/otp', rename: { client_ref: '/a/b' } },
        initiateWallet: { outcome: { status: ['/s'] } },
      },
      outcome: { meanings: { otp: ['OTP'] } },
      confirmed: ['void', 'outcome'],
    });
    expect(changes).toContainEqual({
      place: '/operations/validateOtp/path',
      builtIn: '/payment/validate-otp',
      here: '/otp',
    });
    expect(changes).toContainEqual({
      place: '/operations/validateOtp/rename',
      builtIn: undefined,
      here: { client_ref: '/a/b' },
    });
    expect(changes).toContainEqual({
      place: '/operations/initiateWallet/outcome/amountUnit',
      builtIn: 'minor',
      here: undefined,
    });
    expect(changes).toContainEqual({
      place: '/outcome/meanings/otp',
      builtIn: ['OTP_REQUIRED', 'T0'],
      here: ['OTP'],
    });
    expect(changes.map(({ place }) => place)).not.toContain('/confirmed');
    expect(confirmed).toEqual(['void', 'outcome']);
    expect(unconfirmed).toEqual(['transactionStatus', 'notification']);
  });

  test.each<[string, { outcome?: object; [part: string]: unknown }]>([
    [
      '/operations/transactionStatus/path',
      { operations: { transactionStatus: { path: '/t/{transactionRef}' } } },
    ],
    ['/operations/payCard/omit', { card: { omit: ['client_ref'] } }],
    ['/outcome/meanings/succeeded', { outcome: { meanings: { succeeded: [] } } }],
    ['/outcome/meanings/voided', { outcome: { meanings: { voided: [] } } }],
    ['/outcome/meanings/unknownTransaction', { outcome: { meanings: { unknownTransaction: [] } } }],
    ['/outcome/amountUnit', { outcome: { amountUnit: 'ignore' } }],
    ['/encryption/scheme', { encryption: { scheme: '3des-ecb' } }],
    ['/encryption/scope', { encryption: { scheme: 'rsa-oaep-256' } }],
  ])('notes what is rarely meant: %s', (place, file) => {
    const { notes } = report({ ...file, outcome: { reference: ['/ref'], ...file.outcome } });
    expect(notes.map((note) => note.place)).toEqual([place]);
  });

  test('notes which status query repeats no reference', () => {
    const own = { outcome: { reference: ['/ref'] } };
    expect(report({ operations: { transactionStatus: own } }).notes).toEqual([
      {
        ...NO_REFERENCE,
        message:
          'is empty for transferUssdStatus: status answers are not checked for your reference. Name its place here',
      },
    ]);
    expect(report(own).notes).toEqual([]);
  });
});
