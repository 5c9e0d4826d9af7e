import { describe, expect, test } from '@jest/globals';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { methodFields, type MethodName } from '../../src/gateway/method-fields.js';
import { compileNotifications } from '../../src/gateway/notification/notification.js';
import { loadProfile } from '../../src/gateway/profile/load.js';
import { checkProfile } from '../../src/gateway/profile/report.js';
import { triedLines, tryProfile, type Tried } from '../../src/gateway/profile/try.js';
import { Secret } from '../../src/secrets/secret.js';

/**
 * Profiles of public gateways, from their public documentation. Those among the tests are written as that is remembered; nobody has tried
 * them against those gateways.
 */
const FOLDERS = {
  ...{
    paystack: 'profiles',
    kora: 'profiles',
    mpgs: 'profiles',
    flutterwave: 'profiles',
    monnify: 'profiles',
  },
  ...{ interswitch: 'test/profiles/others', midtrans: 'test/profiles/others', opay: 'test/profiles/others' },
  ...{ pesapal: 'test/profiles/others', transactpay: 'test/profiles/others', dlocal: 'test/profiles/others' },
} as const;
type Name = keyof typeof FOLDERS;
const METHODS: Record<Name, MethodName[]> = {
  ...{
    paystack: ['card', 'transfer'],
    kora: ['card', 'transfer'],
    mpgs: ['card'],
    flutterwave: ['card', 'transfer', 'ussd'],
  },
  ...{ monnify: ['card', 'wallet', 'transfer'], interswitch: ['card'], midtrans: ['wallet', 'transfer'] },
  ...{
    opay: ['card', 'wallet', 'transfer'],
    pesapal: ['wallet'],
    transactpay: ['card', 'transfer'],
    dlocal: ['card'],
  },
};

const file = (name: Name, kind = ''): string => readFileSync(`${FOLDERS[name]}/${name}${kind}.json`, 'utf8');

async function tried(name: Name): Promise<Tried[]> {
  const all = await tryProfile(file(name), file(name, '.exchanges'));
  if (typeof all === 'string') throw new Error(all);
  return all;
}

/** The requests of all exchanges, as they would be sent. */
async function asked(name: Name): Promise<string> {
  return (await tried(name)).flatMap(triedLines).join('\n');
}

describe.each(Object.keys(FOLDERS) as Name[])('the profile for %s', (name) => {
  test('has no faults, and its methods', async () => {
    const { faults, asks } = await checkProfile(file(name));
    expect(faults).toEqual([]);
    expect(Object.keys(asks)).toEqual(METHODS[name]);
  });

  test('reads recorded answers as they are meant', async () => {
    const all = await tried(name);
    expect(all.filter(({ asExpected }) => !asExpected).map((one) => triedLines(one).join('\n'))).toEqual([]);
    expect(all.every(({ expect: expected }) => expected !== undefined)).toBe(true);
  });
});

describe('what is asked of each has the form that it documents', () => {
  test.each<[Name, string[]]>([
    [
      'interswitch',
      [
        '/collections/api/v1/gettransaction.json?merchantcode=MX180186&transactionreference=O-1&amount=150000',
        'encrypted: 1Z<cardNumber>Z<card_pin>Z3012Z<cvv>',
      ],
    ],
    ['opay', ['{"country":"NG","reference":"ORDER-1-1"}']],
    ['pesapal', ['/api/Transactions/GetTransactionStatus?orderTrackingId=b945']],
    ['midtrans', ['"gross_amount":10000.00', 'authorization: Basic ']],
    [
      'flutterwave',
      [
        '{"client":"<ciphertext>"}',
        '"authorization":{"mode":"pin","pin":"<card_pin>"}',
        '"amount":1500.00',
        '"expiry_year":"30"',
      ],
    ],
    ['kora', ['{"charge_data":"<iv>:<ciphertext>:<tag>"}', '"authorization":{"otp":"<otp>"}']],
    ['paystack', ['"amount":"150000"', '"bank_transfer":{}']],
    [
      'monnify',
      ['POST /api/v1/merchant/transactions/init-transaction', '{"transactionReference":"MNFY|20|1"'],
    ],
    ['mpgs', ['PUT /order/ORDER-1001-1/transaction/1', '"expiry":{"month":"12","year":"30"}']],
  ])('%s', async (name, parts) => {
    const lines = await asked(name);
    for (const part of parts) expect(lines).toContain(part);
  });
});

test('what payers are asked for', () => {
  expect(methodFields(loadProfile('profiles/paystack.json'), 'card')).toEqual({
    ...{ payer: ['email'], billing: [], optional: [], device: [], pin: { brands: ['verve'] } },
    card: ['number', 'cvv', 'expiryMonth', 'expiryYear'],
  });
  expect(methodFields(loadProfile('profiles/monnify.json'), 'card')).toMatchObject({
    payer: ['email', 'firstName'],
    pin: { brands: ['verve', 'mastercard', 'visa'] },
  });
  expect(methodFields(loadProfile('profiles/mpgs.json'), 'card')).toMatchObject({
    optional: ['lastName'],
    device: [],
    billing: ['street', 'city', 'stateProvince', 'postCode', 'country'],
  });
});

describe('notifications', () => {
  const KEY = 'the-key-of-the-merchant';
  const isSigned = (name: Name, body: object, headers: Record<string, string> = {}): boolean | undefined =>
    compileNotifications(loadProfile(`${FOLDERS[name]}/${name}.json`), [new Secret(KEY)])({
      headers,
      body: Buffer.from(JSON.stringify(body)),
    }).isSigned;

  test.each([true, false])('of OPay are signed over a text of their own (refunded: %s)', (refunded) => {
    const payload = {
      ...{
        amount: '49160',
        channel: 'Web',
        country: 'NG',
        currency: 'NGN',
        reference: '10023',
        refunded,
        status: 'SUCCESS',
      },
      ...{
        timestamp: '2022-05-07T06:20:46Z',
        token: '220507145660712931829',
        transactionId: '220507145660712931829',
      },
    };
    const text =
      `{Amount:"49160",Currency:"NGN",Reference:"10023",Refunded:${refunded ? 't' : 'f'},Status:"SUCCESS",` +
      'Timestamp:"2022-05-07T06:20:46Z",Token:"220507145660712931829",TransactionID:"220507145660712931829"}';
    const sha512 = createHmac('sha3-512', KEY).update(text).digest('hex');
    expect(isSigned('opay', { payload, sha512, type: 'transaction-status' })).toBe(true);
    expect(isSigned('opay', { payload: { ...payload, amount: '1' }, sha512 })).toBe(false);
  });

  test('of Midtrans carry a hash that the key goes into', () => {
    const body = { order_id: 'O-1', status_code: '200', gross_amount: '10000.00' };
    const signature_key = createHash('sha512').update(`O-120010000.00${KEY}`).digest('hex');
    expect(isSigned('midtrans', { ...body, signature_key })).toBe(true);
    expect(isSigned('midtrans', { ...body, order_id: 'O-2', signature_key })).toBe(false);
  });

  test('of Interswitch, Paystack and Monnify stand in a header', () => {
    const body = { data: { reference: 'O-1' } };
    const signature = createHmac('sha512', KEY).update(JSON.stringify(body)).digest('hex');
    for (const [name, header] of [
      ['interswitch', 'x-interswitch-signature'],
      ['paystack', 'x-paystack-signature'],
      ['monnify', 'monnify-signature'],
    ] as const) {
      expect(isSigned(name, body, { [header]: signature })).toBe(true);
      expect(isSigned(name, { data: 1 }, { [header]: signature })).toBe(false);
    }
  });

  test('of Kora are signed over one member, of Flutterwave and MPGS they carry the secret', () => {
    const data = { reference: 'O-1', amount: 1500 };
    const signature = createHmac('sha256', KEY).update(JSON.stringify(data)).digest('hex');
    expect(isSigned('kora', { event: 'x', data }, { 'x-korapay-signature': signature })).toBe(true);
    expect(isSigned('flutterwave', { data }, { 'verif-hash': KEY })).toBe(true);
    expect(isSigned('mpgs', { data }, { 'x-notification-secret': `${KEY}x` })).toBe(false);
  });
});

test.each(['stripe', 'adyen', 'flutterwave'])('the mapping of %s reports has no faults', async (name) => {
  const { settlement } = JSON.parse(readFileSync(`profiles/settlement/${name}.json`, 'utf8')) as {
    settlement: object;
  };
  const profile = { ...(JSON.parse(file('paystack')) as object), settlement };
  expect((await checkProfile(JSON.stringify(profile))).faults).toEqual([]);
});
