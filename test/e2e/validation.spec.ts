import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  cardRequest,
  expectStatus,
  problemOf,
  sessionRequest,
  type Answer,
  type SessionBody,
} from '../harness/client.js';
import { answer, approved } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';

/** Each fault has its pointer, no value comes back, and the gateway hears of none of it. */

let scene: Scene;
let session: SessionBody;

beforeAll(async () => {
  scene = await startScene('embedded');
  scene.gateway.script('POST /payment/card', answer(approved));
  session = await scene.client.createSession();
});
afterAll(() => scene.stop());

function pointers(refused: Answer<unknown>): string[] {
  const problem = problemOf(expectStatus(refused, 400));
  expect(problem.code).toBe('validation-failed');
  for (const error of problem.errors ?? []) expect(error.message.length).toBeGreaterThan(3);
  return (problem.errors ?? []).map((error) => error.pointer).sort();
}

const longText = 'x'.repeat(5000);

const cardFaults: [string, object, string[]][] = [
  ['a number that fails Luhn', { card: { number: '5060990580000217490' } }, ['/card/number']],
  ['a number of 17 digits for Verve', { card: { number: '50609905800002174' } }, ['/card/number']],
  ['a number with letters', { card: { number: '4111x11111111111' } }, ['/card/number']],
  ['a number that is a number', { card: { number: 4111111111111111 } }, ['/card/number']],
  ['Arabic digits', { card: { number: '٤١١١١١١١١١١١١١١١' } }, ['/card/number']],
  ['an empty number', { card: { number: '' } }, ['/card/number']],
  ['a month 13', { card: { expiryMonth: '13' } }, ['/card/expiryMonth']],
  ['a month 00', { card: { expiryMonth: '00' } }, ['/card/expiryMonth']],
  ['a year long past', { card: { expiryYear: '2001' } }, ['/card/expiryYear']],
  ['a year of two digits', { card: { expiryYear: '3' } }, ['/card/expiryYear']],
  ['a cvv of four digits for Verve', { card: { cvv: '1111' } }, ['/card/cvv']],
  ['a cvv of three digits for American Express', { card: { number: '378282246310005' } }, ['/card/cvv']],
  ['a cvv with letters', { card: { cvv: '1a1' } }, ['/card/cvv']],
  ['a PIN of three digits', { card: { pin: '111' } }, ['/card/pin']],
  ['a PIN of seven digits', { card: { pin: '1111111' } }, ['/card/pin']],
  ['no name on the card', { card: { nameOnCard: undefined } }, ['/card/nameOnCard']],
  ['a name that is too long', { card: { nameOnCard: longText } }, ['/card/nameOnCard']],
  ['an unknown member of the card', { card: { colour: 'blue' } }, ['/card/colour']],
  ['an unknown member', { amount: '1.00' }, ['/amount']],
  ['an unknown member whose name could be data', { 'a/b~c': 1 }, ['']],
  ['no card', { card: undefined }, ['/card']],
  ['no device', { device: undefined }, ['/device']],
  ['an e-mail without a host', { payer: { email: 'ada@' } }, ['/payer/email']],
  ['a phone without digits', { payer: { phone: 'call me' } }, ['/payer/phone']],
  ['a country of two letters', { billing: { country: 'NG' } }, ['/billing/country']],
  ['a country that is none', { billing: { country: 'XXX' } }, ['/billing/country']],
  ['a screen width that is a text', { device: { screenWidth: '1920' } }, ['/device/screenWidth']],
  ['javaEnabled as a text', { device: { javaEnabled: 'false' } }, ['/device/javaEnabled']],
  [
    'several at once',
    { card: { number: '1', cvv: '' }, device: { javaEnabled: 1, screenHeight: '' } },
    ['/card/cvv', '/card/number', '/device/javaEnabled', '/device/screenHeight'],
  ],
];

test.each(cardFaults)('a card payment with %s', async (_name, change, expected) => {
  const found = pointers(await scene.client.payCard(session, change));
  expect(new Set(found)).toEqual(new Set(expected));
});

test('strange data of a device cost no order', async () => {
  const strange = {
    language: 'not a language',
    timeZone: 'Mars/Olympus',
    colorDepth: 7,
    userAgent: longText,
  };
  const other = await scene.client.createSession();
  expectStatus(await scene.client.payCard(other, { device: strange }), 201);
});

test('a card of the past month has expired; of this month it has not', async () => {
  const now = new Date();
  const past = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1));
  const expired = { expiryMonth: month(past), expiryYear: String(past.getUTCFullYear()) };
  const found = pointers(await scene.client.payCard(session, { card: expired }));
  expect(found.every((pointer) => pointer.startsWith('/card/expiry'))).toBe(true);
  const current = { expiryMonth: month(now), expiryYear: String(now.getUTCFullYear()) };
  expectStatus(await scene.client.payCard(await scene.client.createSession(), { card: current }), 201);
});

function month(date: Date): string {
  return String(date.getUTCMonth() + 1).padStart(2, '0');
}

test.each([
  ['Visa', '4111111111111111', '123', 'visa'],
  ['Visa of 19 digits', '4000000000000000006', '123', 'visa'],
  ['Mastercard', '5555555555554444', '123', 'mastercard'],
  ['Verve of 16 digits', '5061020000000003', '123', 'verve'],
  ['American Express', '378282246310005', '1234', 'american-express'],
])('%s is a card', async (_name, number, cvv, brand) => {
  const paid = await scene.client.payCard(await scene.client.createSession(), { card: { number, cvv } });
  expect(expectStatus(paid, 201).body.card?.last4).toBe(number.slice(-4));
  expect(paid.body.card?.brand.replace(/[^a-z]/g, '')).toBe(brand.replace(/[^a-z]/g, ''));
});

const sessionFaults: [string, object, string][] = [
  ['no reference', { reference: undefined }, '/reference'],
  ['a reference with an underscore', { reference: 'ORDER_1' }, '/reference'],
  ['a reference of 41', { reference: 'x'.repeat(41) }, '/reference'],
  ['an amount of zero', { amount: '0.00' }, '/amount'],
  ['a negative amount', { amount: '-1.00' }, '/amount'],
  ['an amount that is a number', { amount: 1500 }, '/amount'],
  ['three decimals of NGN', { amount: '1.001' }, '/amount'],
  ['decimals of JPY', { amount: '1.0', currency: 'JPY' }, '/amount'],
  ['an exponent', { amount: '1e3' }, '/amount'],
  ['a currency that is none', { currency: 'ZZZ' }, '/currency'],
  ['a currency in lower case', { currency: 'ngn' }, '/currency'],
  ['too short a life', { expiresInSeconds: 59 }, '/expiresInSeconds'],
  ['too long a life', { expiresInSeconds: 2_592_001 }, '/expiresInSeconds'],
  ['half a second', { expiresInSeconds: 60.5 }, '/expiresInSeconds'],
  ['a method that is none', { methods: ['cash'] }, '/methods/0'],
  ['no method', { methods: [] }, '/methods'],
  ['a return to another shop', { returnUrl: 'https://shop.example.evil.example/' }, '/returnUrl'],
  ['a return by another port', { returnUrl: 'https://shop.example:8443/' }, '/returnUrl'],
  ['a return with a user', { returnUrl: 'https://shop.example@evil.example/' }, '/returnUrl'],
  ['a return that is a script', { returnUrl: 'javascript:alert(1)' }, '/returnUrl'],
  ['metadata that is nested', { metadata: { a: { b: 'c' } } }, '/metadata/a'],
  ['metadata of 501', { metadata: { a: 'x'.repeat(501) } }, '/metadata/a'],
  ['a payer’s unknown member', { payer: { nickname: 'A' } }, '/payer/nickname'],
  ['an unknown member', { price: '1.00' }, '/price'],
];

test.each(sessionFaults)('a session with %s', async (_name, change, pointer) => {
  const found = pointers(await scene.client.post('/v1/checkout-sessions', sessionRequest(change)));
  expect(
    found.some((one) => one === pointer || one.startsWith(`${pointer}/`) || pointer.startsWith(`${one}/`)),
  ).toBe(true);
  expect(found).toHaveLength(1);
});

test('metadata has at most 20 keys', async () => {
  const metadata = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v']));
  pointers(await scene.client.post('/v1/checkout-sessions', sessionRequest({ metadata })));
});

test('a session for nothing at all names all three faults', async () => {
  const found = pointers(await scene.client.post('/v1/checkout-sessions', {}));
  expect(found).toEqual(['/amount', '/currency', '/reference']);
});

test('no value comes back, whatever is wrong', async () => {
  const marker = 'Zq7Zq7Zq7';
  const strange = {
    card: {
      number: marker,
      cvv: marker,
      pin: marker,
      expiryMonth: marker,
      expiryYear: marker,
      nameOnCard: longText,
    },
    payer: { email: marker, phone: marker, [`x${marker}`]: marker },
    device: { language: marker, timeZone: marker, colorDepth: marker },
  };
  const refused = await scene.client.payCard(session, strange);
  pointers(refused);
  const problem = problemOf(refused);
  // a member's name is part of its pointer; nothing else of the request may show
  const told = JSON.stringify({ ...problem, errors: problem.errors?.map((error) => error.message) });
  expect(told).not.toContain(marker);
  expect(scene.tillfront.logs()).not.toContain(marker);
});

test('the gateway has heard of none of the refused ones', () => {
  const sent = scene.gateway
    .requestsTo('POST /payment/card')
    .map((request) => request.json as { client_ref: string });
  expect(sent.filter((request) => request.client_ref.startsWith(session.reference))).toEqual([]);
});

describe('an Idempotency-Key', () => {
  test.each([
    ['missing', null],
    ['empty', ''],
    ['of 256', 'k'.repeat(256)],
    ['with a blank inside', 'a b'],
    ['with a letter beyond ASCII', 'clé'],
  ])('%s is asked for', async (_name, idempotencyKey) => {
    const refused = await scene.client.post('/v1/checkout-sessions', sessionRequest(), { idempotencyKey });
    expect(problemOf(expectStatus(refused, 400)).code).toBe('idempotency-key-missing');
  });

  test('of 255 visible characters is taken', async () => {
    const idempotencyKey = '~!'.repeat(127) + 'x';
    expectStatus(await scene.client.post('/v1/checkout-sessions', sessionRequest(), { idempotencyKey }), 201);
  });
});

test('a whole card request is still fine after all that', async () => {
  expect(Object.keys(cardRequest())).toEqual(['card', 'device']);
  expectStatus(await scene.client.payCard(session), 201);
});

test('a refused return names the variables that list its origin', async () => {
  const returnUrl = 'http://127.0.0.1:8080/thanks';
  const refused = await scene.client.post('/v1/checkout-sessions', sessionRequest({ returnUrl }));
  expect(problemOf(expectStatus(refused, 400)).errors).toEqual([
    {
      pointer: '/returnUrl',
      message: 'must have an origin of ALLOWED_RETURN_ORIGINS, or of ALLOWED_ORIGINS where that is unset',
    },
  ]);
});
