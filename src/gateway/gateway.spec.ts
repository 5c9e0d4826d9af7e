import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { cardAnswer, notFoundAnswer } from '../../test/harness/gateway-answers.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../../test/harness/misbehaving-gateway.js';
import type { Behaviour } from '../../test/harness/gateway-behaviour.js';
import type { Config } from '../config/config.js';
import { FixedSecret } from '../secrets/secret-source.js';
import { Secret } from '../secrets/secret.js';
import { Gateway, type CardPaymentInput, type GatewayCall, type GatewayResult } from './gateway.js';
import { loadProfile } from './profile.js';

const CARD_NUMBER = '5060990580000217499';
const API_KEY = 'key-of-the-test';
const ACCESS_TOKEN = 'token-of-the-test';

let peer: MisbehavingGateway;
let gateway: Gateway;
const calls: GatewayCall[] = [];

beforeAll(async () => {
  peer = await startMisbehavingGateway();
  gateway = makeGateway();
});

afterAll(async () => {
  await gateway.close();
  await peer.close();
});

beforeEach(() => {
  peer.forget();
  calls.length = 0;
});

function configOf(over: Partial<Config['gateway']> = {}): Config['gateway'] {
  return {
    baseUrl: peer.url,
    mode: 'test',
    apiKey: new FixedSecret(API_KEY),
    accessToken: new FixedSecret(ACCESS_TOKEN),
    timeoutMs: 1_000,
    tls: {},
    notFoundGraceSeconds: 900,
    ...over,
  };
}

function makeGateway(over: Partial<Config['gateway']> = {}): Gateway {
  return new Gateway({ config: configOf(over), profile: loadProfile(), observe: (call) => calls.push(call) });
}

function cardPayment(): CardPaymentInput {
  return {
    clientRef: 'ORDER-1001_1',
    amount: 150_000n,
    currency: 'NGN',
    notifyUrl: 'https://pay.example/v1/payments/pay_1/return/token',
    card: {
      number: new Secret(CARD_NUMBER),
      expiryMonth: '12',
      expiryYear: '2030',
      cvv: new Secret('111'),
      pin: new Secret('1234'),
      nameOnCard: new Secret('Ada Obi'),
    },
    payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
    billing: {
      street: '1 Marina',
      city: 'Lagos',
      stateProvince: 'Lagos',
      postCode: '101001',
      country: 'NGA',
    },
    device: {
      javaEnabled: false,
      language: 'en-NG',
      screenHeight: 1080,
      screenWidth: 1920,
      colorDepth: 30,
      timeZone: 'Africa/Lagos',
      userAgent: 'Test/1.0',
    },
  };
}

const status = { clientRef: 'ORDER-1001_1', currency: 'NGN' };

describe('a card payment', () => {
  test('sends the 26 fields of the seed, the credentials and nothing else', async () => {
    peer.script('POST /payment/card', {
      do: 'answer',
      body: cardAnswer({ status: 'SUCCESS', amount: '1500.00', currency: 'NGN' }),
    });
    const result = await gateway.payCard(cardPayment());
    expect(result).toEqual({
      kind: 'answered',
      answer: {
        meaning: 'succeeded',
        status: 'SUCCESS',
        message: 'Transaction processed',
        transactionRef: 'TRX-TEST-1',
        amount: 150_000n,
        currency: 'NGN',
        amountRequired: false,
      },
    });
    expect(peer.requests).toHaveLength(1);
    const [request] = peer.requests;
    expect(request?.headers).toMatchObject({
      'x-api-key': API_KEY,
      'access-token': ACCESS_TOKEN,
      'content-type': 'application/json',
    });
    expect(request?.json).toEqual({
      cardNumber: CARD_NUMBER,
      expiryMonth: '12',
      expiryYear: '2030',
      cvv: '111',
      card_pin: '1234',
      nameOnCard: 'Ada Obi',
      amount: '1500.00',
      currency: 'NGN',
      client_ref: 'ORDER-1001_1',
      authNotifyUrl: 'https://pay.example/v1/payments/pay_1/return/token',
      payerEmail: 'ada@example.com',
      payerPhone: '+2348012345678',
      firstName: 'Ada',
      lastName: 'Obi',
      billingStreet: '1 Marina',
      billingCity: 'Lagos',
      billingStateProvince: 'Lagos',
      billingPostCode: '101001',
      billingCountry: 'NGA',
      javaEnabled: false,
      language: 'en-NG',
      screenHeight: 1080,
      screenWidth: 1920,
      colorDepth: 24,
      timeZone: 'Africa/Lagos',
      userAgent: 'Test/1.0',
    });
  });

  test('leaves a pin out that there is none of', async () => {
    peer.script('POST /payment/card', { do: 'answer', body: cardAnswer({ status: 'SUCCESS' }) });
    const { pin: _pin, ...card } = cardPayment().card;
    await gateway.payCard({ ...cardPayment(), card });
    expect(peer.requests[0]?.json).not.toHaveProperty('card_pin');
  });
});

describe('what became of a call', () => {
  const good = cardAnswer({ status: 'SUCCESS' });
  const table: [string, Behaviour, GatewayResult][] = [
    [
      '400',
      { do: 'answer', status: 400, body: { message: 'no such card type' } },
      { kind: 'rejected', status: 400, message: 'no such card type' },
    ],
    [
      '404 without JSON',
      { do: 'text', status: 404, text: '<h1>nothing here</h1>' },
      { kind: 'rejected', status: 404 },
    ],
    [
      '404 that is no UTF-8',
      { do: 'text', status: 404, text: Buffer.from([0xe9]) },
      { kind: 'rejected', status: 404 },
    ],
    [
      '404 that says NOT_FOUND',
      { do: 'answer', status: 404, body: notFoundAnswer },
      { kind: 'rejected', status: 404, message: 'Transaction not found', code: 'NOT_FOUND' },
    ],
    ['422', { do: 'answer', status: 422, body: {} }, { kind: 'rejected', status: 422 }],
    ['401', { do: 'answer', status: 401, body: {} }, { kind: 'credentials-rejected', status: 401 }],
    ['403', { do: 'answer', status: 403, body: {} }, { kind: 'credentials-rejected', status: 403 }],
    ['429', { do: 'answer', status: 429, body: {} }, { kind: 'busy' }],
    [
      '429 with a time',
      { do: 'answer', status: 429, body: {}, headers: { 'retry-after': '17' } },
      { kind: 'busy', retryAfterSeconds: 17 },
    ],
    [
      '500',
      { do: 'answer', status: 500, body: good },
      { kind: 'unknown', reason: 'http-status', status: 500 },
    ],
    [
      '402',
      { do: 'answer', status: 402, body: good },
      { kind: 'unknown', reason: 'http-status', status: 402 },
    ],
    [
      '409',
      { do: 'answer', status: 409, body: good },
      { kind: 'unknown', reason: 'http-status', status: 409 },
    ],
    ['204', { do: 'text', status: 204, text: '' }, { kind: 'unknown', reason: 'http-status', status: 204 }],
    ['HTML', { do: 'text', text: '<html></html>' }, { kind: 'unknown', reason: 'not-json', status: 200 }],
    ['an empty body', { do: 'text', text: '' }, { kind: 'unknown', reason: 'not-json', status: 200 }],
    [
      'bytes that are no UTF-8',
      { do: 'text', text: Buffer.from([0x22, 0xff, 0x22]) },
      { kind: 'unknown', reason: 'not-json', status: 200 },
    ],
    [
      'an unknown coding',
      { do: 'text', text: '{}', headers: { 'content-encoding': 'rot13' } },
      { kind: 'unknown', reason: 'not-json', status: 200 },
    ],
    [
      'duplicate keys',
      { do: 'text', text: '{"error":true,"\\u0065rror":false}' },
      { kind: 'unknown', reason: 'contradiction', status: 200 },
    ],
    ['a body over 1 MiB', { do: 'huge', body: good }, { kind: 'unknown', reason: 'too-large', status: 200 }],
    [
      'a gzip bomb',
      { do: 'gzip-bomb', megabytes: 30, body: good },
      { kind: 'unknown', reason: 'too-large', status: 200 },
    ],
    ['a cut body', { do: 'cut', body: good }, { kind: 'unknown', reason: 'cut', status: 200 }],
    ['a reset after reading', { do: 'reset-after-reading' }, { kind: 'unknown', reason: 'reset' }],
    ['a reset before reading', { do: 'reset-before-reading' }, { kind: 'unknown', reason: 'reset' }],
    ['a close without an answer', { do: 'close-after-reading' }, { kind: 'unknown', reason: 'reset' }],
    ['silence', { do: 'silent' }, { kind: 'unknown', reason: 'timeout' }],
    ['a body that trickles', { do: 'trickle', body: good }, { kind: 'unknown', reason: 'timeout' }],
  ];
  test.each(table)('%s', async (_name, behaviour, expected) => {
    peer.script('POST /payment/card', behaviour);
    const begun = performance.now();
    expect(await gateway.payCard(cardPayment())).toEqual(expected);
    expect(performance.now() - begun).toBeLessThan(1_900);
    expect(peer.requestsTo('POST /payment/card').length).toBeLessThanOrEqual(1);
  });

  test.each([301, 302, 303, 307, 308] as const)('a %i is never followed', async (code) => {
    peer.script('POST /payment/card', { do: 'redirect', status: code, location: `${peer.url}/elsewhere` });
    peer.script('POST /elsewhere', { do: 'answer', body: good });
    expect(await gateway.payCard(cardPayment())).toEqual({
      kind: 'unknown',
      reason: 'redirected',
      status: code,
    });
    expect(peer.requests).toHaveLength(1);
  });

  test.each([200, 201, 202])('%i is read as an answer', async (code) => {
    peer.script('POST /payment/card', { do: 'answer', status: code, body: good });
    expect(await gateway.payCard(cardPayment())).toMatchObject({
      kind: 'answered',
      answer: { meaning: 'succeeded' },
    });
  });

  test('nobody there: nothing was sent', async () => {
    const lonely = makeGateway({ baseUrl: 'http://127.0.0.1:1' });
    expect(await lonely.payCard(cardPayment())).toEqual({ kind: 'not-sent', reason: 'refused' });
    expect(calls).toEqual([{ operation: 'payCard', outcome: 'not-sent', seconds: expect.any(Number) }]);
    await lonely.close();
  });

  test('a name that does not exist: nothing was sent', async () => {
    const lost = makeGateway({ baseUrl: 'http://gateway.invalid' });
    expect(await lost.payCard(cardPayment())).toEqual({ kind: 'not-sent', reason: 'dns' });
    await lost.close();
  });

  test('after closing: nothing was sent', async () => {
    const closed = makeGateway();
    await closed.close();
    expect(await closed.payCard(cardPayment())).toEqual({ kind: 'not-sent', reason: 'abandoned' });
    expect(peer.requests).toHaveLength(0);
  });

  test('a proxy of the environment is not used', async () => {
    peer.script('POST /payment/card', { do: 'answer', body: good });
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = 'http://127.0.0.1:1';
    try {
      expect(await gateway.payCard(cardPayment())).toMatchObject({ kind: 'answered' });
    } finally {
      delete process.env['HTTP_PROXY'];
      delete process.env['http_proxy'];
    }
  });
});

describe('a connection that is used again', () => {
  test('a reset on it is an unknown outcome, and nothing is sent a second time', async () => {
    peer.script(
      'POST /payment/card',
      { do: 'answer', body: cardAnswer({ status: 'SUCCESS' }) },
      { do: 'reset-after-reading' },
    );
    const fresh = makeGateway();
    const before = peer.connections();
    expect(await fresh.payCard(cardPayment())).toMatchObject({ kind: 'answered' });
    await nextTurn();
    expect(await fresh.payCard(cardPayment())).toEqual({ kind: 'unknown', reason: 'reset' });
    expect(peer.connections() - before).toBe(1);
    expect(peer.requests).toHaveLength(2);
    await fresh.close();
  });

  test('one that timed out is not used again', async () => {
    peer.script(
      'POST /payment/card',
      { do: 'silent' },
      { do: 'answer', body: cardAnswer({ status: 'SUCCESS' }) },
    );
    const fresh = makeGateway({ timeoutMs: 300 });
    const before = peer.connections();
    expect(await fresh.payCard(cardPayment())).toEqual({ kind: 'unknown', reason: 'timeout' });
    expect(await fresh.payCard(cardPayment())).toMatchObject({ kind: 'answered' });
    expect(peer.connections() - before).toBeGreaterThanOrEqual(2);
    await fresh.close();
  });
});

describe('the gate', () => {
  test('a no sends nothing', async () => {
    const beforeSend = jest.fn(() => false);
    expect(await gateway.payCard(cardPayment(), { beforeSend })).toEqual({
      kind: 'not-sent',
      reason: 'abandoned',
    });
    expect(beforeSend).toHaveBeenCalledTimes(1);
    expect(peer.requests).toHaveLength(0);
  });

  test('a yes is asked for once, and sends', async () => {
    peer.script('POST /payment/void', { do: 'answer', body: cardAnswer({ status: 'VOIDED' }) });
    const beforeSend = jest.fn(() => true);
    const result = await gateway.void(
      { clientRef: 'ORDER-1001_1', transactionRef: 'T1', currency: 'NGN' },
      { beforeSend },
    );
    expect(result).toMatchObject({ kind: 'answered', answer: { meaning: 'voided' } });
    expect(beforeSend).toHaveBeenCalledTimes(1);
    expect(peer.requests[0]?.json).toEqual({ client_ref: 'ORDER-1001_1', transactionRef: 'T1' });
  });
});

describe('the other operations', () => {
  test('a status query fills its path in, percent-encoded, and has no body', async () => {
    await gateway.transactionStatus({ ...status, clientRef: 'A/../B?c=1_1' });
    expect(peer.requests[0]).toMatchObject({
      method: 'GET',
      path: '/transaction/A%2F..%2FB%3Fc%3D1_1',
      text: '',
    });
  });

  test('a transaction that the gateway does not know is its explicit word', async () => {
    peer.script('GET /transaction/*', { do: 'answer', body: notFoundAnswer });
    expect(await gateway.transactionStatus(status)).toMatchObject({
      kind: 'answered',
      answer: { meaning: 'unknownTransaction' },
    });
  });

  test('the wallet call carries no credentials', async () => {
    peer.script('POST /init-partner', {
      do: 'answer',
      body: {
        status: 'success',
        message: 'ok',
        data: {
          code: '00000',
          message: 'SUCCESSFUL',
          data: {
            reference: 'ORDER-1001_1',
            orderNo: '211',
            cashierUrl: 'https://cashier.example/?t=1',
            status: 'INITIAL',
            amount: { total: 150_000, currency: 'NGN' },
            vat: { total: 0, currency: 'NGN' },
          },
        },
      },
    });
    const result = await gateway.initiateWallet({
      clientRef: 'ORDER-1001_1',
      amount: 150_000n,
      currency: 'NGN',
      payerEmail: 'ada@example.com',
    });
    expect(result).toEqual({
      kind: 'answered',
      answer: {
        meaning: 'processing',
        status: 'INITIAL',
        message: 'ok',
        transactionRef: '211',
        redirectUrl: 'https://cashier.example/?t=1',
        redirectMethod: 'GET',
        reference: 'ORDER-1001_1',
        amount: 150_000n,
        currency: 'NGN',
        amountRequired: false,
      },
    });
    expect(Object.keys(peer.requests[0]?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(x-api-key|access-token)$/)]),
    );
    expect(peer.requests[0]?.json).toEqual({
      client_ref: 'ORDER-1001_1',
      txnType: 'PARTNER_PAY',
      payerEmail: 'ada@example.com',
      amount: '1500.00',
      currency: 'NGN',
    });
  });

  test('the banks are those entries that have a code and a name', async () => {
    const data = [
      { code: '058', name: 'GTBank' },
      { code: '', name: 'Nameless' },
      'x',
      { code: 44, name: 'Access' },
    ];
    peer.script('GET /ussd/banks', { do: 'answer', body: { error: false, message: 'ok', data } });
    expect(await gateway.listUssdBanks()).toEqual({
      kind: 'banks',
      banks: [
        { code: '058', name: 'GTBank' },
        { code: '44', name: 'Access' },
      ],
    });
    expect(calls).toMatchObject([{ operation: 'listUssdBanks', outcome: 'banks' }]);
  });

  test.each([{ error: true, data: [] }, { error: 'no', data: [] }, { error: false, data: {} }, []])(
    'what is no list of banks is unknown: %j',
    async (body) => {
      peer.script('GET /ussd/banks', { do: 'answer', body });
      expect(await gateway.listUssdBanks()).toEqual({ kind: 'unknown', reason: 'unrecognised' });
    },
  );
});

test('nothing secret is in a result, nor in the gateway itself, however it is printed', async () => {
  peer.script('POST /payment/card', { do: 'reset-after-reading' });
  const result = await gateway.payCard(cardPayment());
  const seen = [gateway, result, calls, cardPayment()]
    .map((value) => inspect(value, { depth: 12, showHidden: true }))
    .join('\n');
  for (const secret of [CARD_NUMBER, API_KEY, ACCESS_TOKEN]) expect(seen).not.toContain(secret);
});
