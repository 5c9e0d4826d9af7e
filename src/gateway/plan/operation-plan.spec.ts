import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cardPaymentInput } from '../../../test/harness/gateway-inputs.js';
import { Secret } from '../../secrets/secret.js';
import type { RequestBody } from './member-plan.js';
import { planOperation as compile } from './operation-plan.js';
import { operationFields, type CallFacts } from '../requests/payment-fields.js';
import { parseProfile } from '../profile/load.js';
import { OPERATION_KEYS, type OperationKey, type Profile } from '../profile/format.js';

function profileOf(file: object): Profile {
  return parseProfile(JSON.stringify(file));
}

/** The parts of a composed request. */
function planOperation(profile: Profile, key: OperationKey) {
  const operation = profile.operations[key];
  if (!operation) throw new Error(`no ${key}`);
  const plan = compile(profile, { place: 'operations', key, operation });
  return {
    path: (facts: CallFacts) => plan.compose(facts)?.path,
    body: (facts: CallFacts) => plan.compose(facts)?.body,
    headers: plan.compose({ clientRef: 'R_1' })?.headers,
  };
}

function cardBody(file: object, over: Parameters<typeof cardPaymentInput>[0] = {}): RequestBody | undefined {
  return planOperation(profileOf(file), 'payCard').body(cardPaymentInput(over));
}

const payment = { clientRef: 'R_1', amount: 150_000n, currency: 'NGN' };
const otp = { ...payment, transactionRef: 'T1', otp: new Secret('123456') };

describe('the built-in bodies', () => {
  test.each([
    ['validateOtp', otp, { client_ref: 'R_1', transactionRef: 'T1', otp: '123456' }],
    [
      'initiateTransfer',
      { ...payment, payer: { email: 'a@b.c', phone: '+1', firstName: 'A', lastName: 'B' } },
      {
        client_ref: 'R_1',
        amount: '1500.00',
        currency: 'NGN',
        payerEmail: 'a@b.c',
        payerPhone: '+1',
        firstName: 'A',
        lastName: 'B',
      },
    ],
    [
      'transferUssdStatus',
      { clientRef: 'R_1', transactionRef: 'T1', currency: 'NGN' },
      { client_ref: 'R_1', transactionRef: 'T1' },
    ],
    ['transferUssdStatus', { clientRef: 'R_1', currency: 'NGN' }, { client_ref: 'R_1' }],
    ['transactionStatus', { clientRef: 'R_1', currency: 'NGN' }, undefined],
    ['listUssdBanks', {}, undefined],
    [
      'generateUssdCode',
      { ...payment, payer: { email: 'a@b.c' }, bankCode: '058' },
      { client_ref: 'R_1', amount: '1500.00', currency: 'NGN', payerEmail: 'a@b.c', bankCode: '058' },
    ],
    [
      'complete',
      { ...payment, transactionRef: 'T1' },
      { client_ref: 'R_1', transactionRef: 'T1', amount: '1500.00' },
    ],
    [
      'void',
      { clientRef: 'R_1', transactionRef: 'T1', currency: 'NGN' },
      { client_ref: 'R_1', transactionRef: 'T1' },
    ],
  ] as const)('%s', (key, input, expected) => {
    const plan = planOperation(profileOf({}), key);
    const body = plan.body(input);
    expect(body).toEqual(expected && { open: expected });
  });

  test('the card call has all 26 fields of the seed', () => {
    expect(Object.keys(cardBody({}, { pin: '1234' })?.open ?? {})).toHaveLength(26);
  });
});

describe('how a profile changes a body', () => {
  test('renames, nests, adds and leaves out', () => {
    const rename = { client_ref: 'reference', payerEmail: '/customer/email', payerPhone: '/customer/phone' };
    const body = cardBody(
      {
        operations: {
          payCard: {
            rename,
            constants: { '/customer/type': 'person', channel: 'WEB', list: [1, { a: null }] },
            omit: ['language'],
          },
        },
        card: { omit: ['card_pin', 'userAgent'] },
      },
      { pin: '1234' },
    )?.open;
    expect(body).toMatchObject({
      reference: 'ORDER-1001_1',
      customer: { email: 'ada@example.com', phone: '+2348012345678', type: 'person' },
      channel: 'WEB',
      list: [1, { a: null }],
    });
    for (const name of ['client_ref', 'payerEmail', 'payerPhone', 'language', 'card_pin', 'userAgent']) {
      expect(body).not.toHaveProperty(name);
    }
  });

  test('a constant where a field would stand takes its place, and only there', () => {
    const operation = { rename: { amount: 'total' }, constants: { amount: 'see total', txnType: 'OTHER' } };
    const plan = planOperation(profileOf({ operations: { initiateWallet: operation } }), 'initiateWallet');
    expect(plan.body({ ...payment, payer: { email: 'a@b.c' } })?.open).toEqual({
      client_ref: 'R_1',
      txnType: 'OTHER',
      payerEmail: 'a@b.c',
      total: '1500.00',
      currency: 'NGN',
      amount: 'see total',
    });
  });

  test.each([
    ['major', 150_000n, 'NGN', '1500.00'],
    ['major', 1500n, 'JPY', '1500'],
    ['minor', 150_000n, 'NGN', 150_000],
    ['minor-string', 150_000n, 'NGN', '150000'],
  ] as const)('writes amounts in %s units', (amountUnit, amount, currency, expected) => {
    const plan = planOperation(profileOf({ operations: { complete: { amountUnit } } }), 'complete');
    expect(plan.body({ ...payment, amount, currency })?.open).toMatchObject({ amount: expected });
  });

  test.each([
    ['YYYY', '2030', '2030'],
    ['YYYY', '30', '2030'],
    ['YY', '2030', '30'],
    ['YY', '30', '30'],
  ])('writes years as %s: %s is %s', (expiryYear, year, expected) => {
    expect(cardBody({ card: { expiryYear } }, { expiryYear: year })?.open).toMatchObject({
      expiryYear: expected,
    });
  });

  test.each([
    [undefined, 30, 24],
    [undefined, 24, 24],
    [undefined, 64, 48],
    [[8, 24], 32, 24],
    [[24, 8], 23, 8],
    [[8, 24], 4, 8],
  ])('takes the depths %j: %i is sent as %i', (colorDepths, colorDepth, expected) => {
    const body = cardBody({ card: { ...(colorDepths && { colorDepths }) } }, { colorDepth });
    expect(body?.open).toMatchObject({ colorDepth: expected });
  });

  test('headers are in lower case, so that they replace the usual ones', () => {
    const plan = planOperation(
      profileOf({ operations: { void: { headers: { 'User-Agent': 'shop' } } } }),
      'void',
    );
    expect(plan.headers).toEqual({ 'user-agent': 'shop' });
  });

  test('a body for a status query that is a POST', () => {
    const plan = planOperation(
      profileOf({ operations: { transactionStatus: { method: 'POST', path: '/q' } } }),
      'transactionStatus',
    );
    expect(plan.path({ clientRef: 'R_1', currency: 'NGN' })).toBe('/q');
    expect(plan.body({ clientRef: 'R_1', transactionRef: 'T', currency: 'NGN' })?.open).toEqual({
      client_ref: 'R_1',
      transactionRef: 'T',
    });
  });
});

describe('a request that would name no payment is not made', () => {
  const byTransaction = { omit: ['client_ref'] };
  test.each([
    ['a status query by its body', 'transferUssdStatus', { transferUssdStatus: byTransaction }],
    [
      'a status query by its query',
      'transactionStatus',
      { transactionStatus: { path: '/t?ref={transactionRef}' } },
    ],
    ['a void', 'void', { void: byTransaction }],
    ['a void by nothing', 'void', { void: { omit: ['client_ref', 'transactionRef'] } }],
  ] as const)('%s', (_name, key, operations) => {
    const plan = planOperation(profileOf({ operations }), key);
    expect(plan.path({ clientRef: 'R_1', currency: 'NGN' })).toBeUndefined();
    const named = plan.path({ clientRef: 'R_1', transactionRef: 'T1', currency: 'NGN' });
    expect(named === undefined).toBe(_name === 'a void by nothing');
  });

  test('but a payment may begin without', () => {
    const plan = planOperation(profileOf({ card: { omit: ['client_ref'] } }), 'payCard');
    expect(plan.path(cardPaymentInput())).toBe('/payment/card');
  });
});

describe('a path', () => {
  const file = { operations: { void: { path: '/v/{client_ref}/{transactionRef}?x=1' } } };
  const plan = planOperation(profileOf(file), 'void');

  test('is filled in', () => {
    expect(plan.path({ clientRef: 'R_1', transactionRef: 'T', currency: 'NGN' })).toBe('/v/R_1/T?x=1');
  });

  test.each([undefined, ''])('is none without a part of it (%j)', (transactionRef) => {
    expect(
      plan.path({
        clientRef: 'R_1',
        currency: 'NGN',
        ...(transactionRef !== undefined && { transactionRef }),
      }),
    ).toBeUndefined();
  });

  test('cannot be led astray by what is filled in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const path = plan.path({ clientRef: text, transactionRef: 'T', currency: 'NGN' });
        expect(path).toMatch(/^\/v\/[^/?#]+\/T\?x=1$/);
        expect(decodeURIComponent(path?.split('/')[2] ?? '')).toBe(text);
      }),
    );
  });
});

describe('what is to be encrypted', () => {
  const encryption = { scheme: 'jwe' };

  test('is the whole body', () => {
    const body = cardBody({ encryption, operations: { payCard: { constants: { channel: 'WEB' } } } });
    expect(body?.open).toEqual({});
    expect(Object.keys(body?.sealed ?? {})).toHaveLength(26);
  });

  test('or the fields of the scope, by either name', () => {
    const rename = { cardNumber: 'pan', cvv: '/card/cvv' };
    const body = cardBody({
      encryption: { ...encryption, scope: ['cardNumber', '/card/cvv', 'expiryMonth'] },
      operations: { payCard: { rename } },
    });
    expect(body?.sealed).toEqual({ pan: '5060990580000217499', card: { cvv: '111' }, expiryMonth: '12' });
    expect(body?.open).toMatchObject({ expiryYear: '2030' });
    expect(JSON.stringify(body?.open)).not.toContain('5060990580000217499');
  });

  test('is nothing for other operations', () => {
    const plan = planOperation(profileOf({ encryption }), 'validateOtp');
    expect(plan.body(otp)?.sealed).toBeUndefined();
  });

  test('is nothing with the scheme none', () => {
    expect(cardBody({ encryption: { scheme: 'none' } })?.sealed).toBeUndefined();
  });
});

test('every operation has a table of fields', () => {
  expect(Object.keys(operationFields).sort()).toEqual([...OPERATION_KEYS].sort());
});
