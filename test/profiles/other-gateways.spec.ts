import { describe, expect, test } from '@jest/globals';
import { createHash, createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { verifyNotification } from '../../src/gateway/notifications/notification-signature.js';
import { loadProfile } from '../../src/gateway/profile/load.js';
import type { PaymentMethod } from '../../src/config/payment-method.js';
import { reportProfile } from '../../src/methods/profile-report.js';

/**
 * Profiles of further gateways of the field, from their public documentation as it is remembered, with exchanges that are made up
 * after it. They show that a file alone can say such things; nobody has tried them against those gateways.
 */
const FOLDER = 'test/profiles/others';
const METHODS: Readonly<Record<string, PaymentMethod[]>> = {
  interswitch: ['card'],
  midtrans: ['wallet', 'transfer'],
  opay: ['card', 'wallet', 'transfer'],
  pesapal: ['wallet'],
  transactpay: ['card', 'transfer'],
};
const NAMES = Object.keys(METHODS);

/** What is said of old schemes of encryption is meant for the gateway. */
const isAboutEncryption = ({ place }: { place: string }): boolean => place.startsWith('/encryption');

test('each has its methods', () => {
  const files = readdirSync(FOLDER).filter((file) => !file.endsWith('.exchanges.json'));
  expect(files.map((file) => file.replace('.json', ''))).toEqual(NAMES);
});

describe.each(NAMES)('the profile for %s', (name) => {
  const profile = `${FOLDER}/${name}.json`;

  test('can be used, and has nothing that is rarely meant', () => {
    const { notes } = reportProfile(loadProfile(profile), METHODS[name] ?? []);
    expect(notes.filter((note) => !isAboutEncryption(note))).toEqual([]);
  });
});

describe('notifications', () => {
  const KEY = 'the-key-of-the-merchant';
  const verify = (name: string, body: object, headers: Record<string, string> = {}): boolean =>
    verifyNotification(
      loadProfile(`${FOLDER}/${name}.json`).notification,
      KEY,
      headers,
      Buffer.from(JSON.stringify(body)),
    );

  test.each([true, false])('of OPay are signed over a text of their own (refunded: %s)', (refunded) => {
    const payload = {
      amount: '49160',
      channel: 'Web',
      country: 'NG',
      currency: 'NGN',
      reference: '10023',
      refunded,
      status: 'SUCCESS',
      timestamp: '2022-05-07T06:20:46Z',
      token: '220507145660712931829',
      transactionId: '220507145660712931829',
    };
    const text =
      `{Amount:"49160",Currency:"NGN",Reference:"10023",Refunded:${refunded ? 't' : 'f'},Status:"SUCCESS",` +
      'Timestamp:"2022-05-07T06:20:46Z",Token:"220507145660712931829",TransactionID:"220507145660712931829"}';
    const sha512 = createHmac('sha3-512', KEY).update(text).digest('hex');
    expect(verify('opay', { payload, sha512, type: 'transaction-status' })).toBe(true);
    expect(verify('opay', { payload: { ...payload, amount: '1' }, sha512 })).toBe(false);
  });

  test('of Midtrans carry a hash that the key goes into', () => {
    const body = { order_id: 'O-1', status_code: '200', gross_amount: '10000.00' };
    const signature_key = createHash('sha512').update(`O-120010000.00${KEY}`).digest('hex');
    expect(verify('midtrans', { ...body, signature_key })).toBe(true);
    expect(verify('midtrans', { ...body, order_id: 'O-2', signature_key })).toBe(false);
  });

  test('of Interswitch stand in a header', () => {
    const body = { data: { tx_ref: 'O-1' } };
    const signature = createHmac('sha512', KEY).update(JSON.stringify(body)).digest('hex');
    expect(verify('interswitch', body, { 'x-interswitch-signature': signature })).toBe(true);
    expect(verify('interswitch', { data: 1 }, { 'x-interswitch-signature': signature })).toBe(false);
  });
});
