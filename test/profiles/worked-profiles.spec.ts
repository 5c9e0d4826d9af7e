import { describe, expect, test } from '@jest/globals';
import type { PaymentMethod } from '../../src/config/payment-method.js';
import { loadProfile } from '../../src/gateway/profile/load.js';
import { reportProfile } from '../../src/methods/profile-report.js';

const UNKNOWN_STAYS_OPEN = 'a payment that the gateway never received stays open until a person resolves it';

const TRIPLE_DES = 'an old scheme that does not show tampering; TLS alone protects the rest';

const WORKED: [name: string, methods: PaymentMethod[], notes: string[]][] = [
  ['paystack', ['card', 'transfer'], []],
  ['kora', ['card', 'transfer'], [UNKNOWN_STAYS_OPEN]],
  ['mpgs', ['card'], [UNKNOWN_STAYS_OPEN]],
  ['flutterwave', ['card', 'transfer', 'ussd'], [TRIPLE_DES]],
  ['monnify', ['card', 'wallet', 'transfer'], [UNKNOWN_STAYS_OPEN]],
];

describe.each(WORKED)('the worked profile %s', (name, methods, notes) => {
  test('can be used, and has nothing that is rarely meant', () => {
    const report = reportProfile(loadProfile(`profiles/${name}.json`), methods);
    expect(report.notes.map(({ message }) => message)).toEqual(notes);
  });
});
