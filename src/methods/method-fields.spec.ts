import { describe, expect, test } from '@jest/globals';
import { parseProfile } from '../gateway/profile/load.js';
import { methodFields, type MethodFields } from './method-fields.js';

const whole = {
  payer: ['email', 'phone', 'firstName', 'lastName'],
  billing: ['street', 'city', 'stateProvince', 'postCode', 'country'],
  card: ['number', 'expiryMonth', 'expiryYear', 'cvv', 'nameOnCard'],
  device: ['javaEnabled', 'language', 'screenHeight', 'screenWidth', 'colorDepth', 'timeZone', 'userAgent'],
};

function fieldsOf(profile: object, method: 'card' | 'wallet' | 'transfer' | 'ussd' = 'card'): MethodFields {
  return methodFields(parseProfile(JSON.stringify(profile)), method);
}

describe('by the built-in profile', () => {
  test.each([
    ['card', whole],
    ['wallet', { payer: ['email'], billing: [], card: [], device: [] }],
    ['transfer', { payer: whole.payer, billing: [], card: [], device: [] }],
    ['ussd', { payer: ['email'], billing: [], card: [], device: [] }],
  ] as const)('%s', (method, expected) => {
    expect(fieldsOf({}, method)).toEqual(expected);
  });
});

const PAYER = ['payerEmail', 'payerPhone', 'firstName', 'lastName'];
const BILLING = [
  ...['billingStreet', 'billingCity', 'billingStateProvince', 'billingPostCode', 'billingCountry'],
];
/** A card call without payer and address. */
function bare(operation: object = {}, profile: object = {}): object {
  return { operations: { payCard: { omit: [...PAYER, ...BILLING], ...operation } }, ...profile };
}

describe('what a profile sends', () => {
  test.each<[string, object, Partial<Record<keyof MethodFields, string[]>>]>([
    ['nothing of the payer', bare(), { payer: [], billing: [] }],
    [
      'what card.omit leaves out is not sent',
      { card: { omit: ['nameOnCard'] } },
      { card: whole.card.slice(0, -1) },
    ],
    [
      'a name is both names',
      bare({ constants: { holder: '{payerName}' } }),
      { payer: ['firstName', 'lastName'] },
    ],
    [
      'a text deep in a constant',
      bare({ constants: { a: { b: ['{billingCity}'] } } }),
      { billing: ['city'] },
    ],
    ['a place in the path', bare({ path: '/pay/{billingCountry}' }), { billing: ['country'] }],
    ['a header', bare({ headers: { 'X-Mail': '{payerEmail}' } }), { payer: ['email'] }],
    [
      'a constant in its place',
      { operations: { payCard: { constants: { payerEmail: 'shop@shop.example' } } } },
      { payer: whole.payer.slice(1) },
    ],
    [
      'only where the payment has it',
      bare({ constants: { phone: { value: '{payerPhone}', when: 'payerPhone' } } }),
      { payer: [] },
    ],
    [
      'a year of two digits is a year',
      { operations: { payCard: { omit: ['expiryYear'], constants: { exp: '{expiryMonth}/{expiryYY}' } } } },
      { card: whole.card },
    ],
    [
      'what is encrypted in a text of its own',
      bare(
        {},
        {
          card: { omit: ['cvv'] },
          encryption: { scheme: 'rsa-pkcs1', scope: ['cardNumber'], plaintext: '{cardNumber}|{cvv}' },
        },
      ),
      { card: whole.card },
    ],
    [
      'the call before it',
      bare(
        { before: 'order' },
        {
          extra: { order: { method: 'POST', path: '/order', credentials: true, include: ['payerPhone'] } },
        },
      ),
      { payer: ['phone'] },
    ],
    [
      'a later call is not made with what the payer typed',
      bare({}, { operations: { payCard: { omit: PAYER }, void: { include: ['payerPhone'] } } }),
      { payer: [] },
    ],
    [
      'a card call that the gateway lacks',
      { operations: { payCard: null } },
      { payer: [], card: ['number'] },
    ],
  ])('%s', (_name, profile, expected) => {
    expect(fieldsOf(profile)).toMatchObject(expected);
  });

  test('a transfer may need an address', () => {
    const profile = { operations: { initiateTransfer: { include: ['billingCountry'] } } };
    expect(fieldsOf(profile, 'transfer').billing).toEqual(['country']);
  });
});
