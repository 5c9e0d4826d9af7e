import { describe, expect, test } from '@jest/globals';
import { defaultProfile } from '../gateway/profile/default-profile.js';
import { profileAssumptions } from './profile-assumptions.js';
import type { Profile } from '../gateway/profile/format.js';

const everyMethod = ['card', 'wallet', 'transfer', 'ussd'] as const;

function profileWith(over: Partial<Profile>): Profile {
  return { ...defaultProfile, ...over };
}

describe('what is still assumed', () => {
  test('of the built-in profile: everything but the two calls that the gateway describes itself', () => {
    expect(new Set(profileAssumptions(defaultProfile, everyMethod))).toEqual(
      new Set([
        'validateOtp',
        'initiateTransfer',
        'transferUssdStatus',
        'listUssdBanks',
        'generateUssdCode',
        'transactionStatus',
        'complete',
        'void',
        'outcome',
        'encryption',
        'notification',
      ]),
    );
  });

  test.each([
    [
      ['card'],
      ['validateOtp', 'transactionStatus', 'complete', 'void', 'outcome', 'encryption', 'notification'],
    ],
    [['wallet'], ['transactionStatus', 'void', 'outcome', 'notification']],
    [['transfer'], ['initiateTransfer', 'transferUssdStatus', 'void', 'outcome', 'notification']],
    [
      ['ussd'],
      ['listUssdBanks', 'generateUssdCode', 'transferUssdStatus', 'void', 'outcome', 'notification'],
    ],
  ] as const)('by %j', (methods, expected) => {
    expect(profileAssumptions(defaultProfile, methods)).toEqual(expected);
  });

  test('encryption too by a method whose bodies the profile encrypts', () => {
    const encryption = { scheme: 'jwe', operations: ['initiateWallet'], scope: 'body' } as const;
    expect(profileAssumptions(profileWith({ encryption }), ['wallet'])).toContain('encryption');
    expect(profileAssumptions(profileWith({ encryption }), ['transfer'])).not.toContain('encryption');
  });

  test('without what is confirmed', () => {
    const confirmed = ['transactionStatus', 'outcome', 'notification', 'encryption'];
    expect(profileAssumptions(profileWith({ confirmed }), ['wallet'])).toEqual(['void']);
    expect(profileAssumptions(profileWith({ confirmed: [...confirmed, 'void'] }), ['wallet'])).toEqual([]);
  });
});
