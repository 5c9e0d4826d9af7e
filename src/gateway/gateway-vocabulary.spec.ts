import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createDecipheriv } from 'node:crypto';
import { cardAnswer, notFoundAnswer } from '../../test/harness/gateway-answers.js';
import { cardPaymentInput, gatewayConfig, gatewaySecrets } from '../../test/harness/gateway-inputs.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../../test/harness/misbehaving-gateway.js';
import { Secret } from '../secrets/secret.js';
import { Gateway, type GatewayCall } from './gateway.js';
import { parseProfile } from './profile/load.js';

const KEY = 'a key of twenty-four byte';
const payment = { clientRef: 'R_1', transactionRef: 'T1', amount: 150_000n, currency: 'NGN' };
const good = cardAnswer({ status: 'SUCCESS' });

let peer: MisbehavingGateway;
const opened: Gateway[] = [];
const calls: GatewayCall[] = [];

beforeAll(async () => {
  peer = await startMisbehavingGateway();
});
afterAll(async () => {
  for (const gateway of opened) await gateway.close();
  await peer.close();
});
beforeEach(() => {
  peer.forget();
  calls.length = 0;
});

function gatewayWith(file: object): Gateway {
  const gateway = new Gateway({
    config: gatewayConfig(peer.url, { encryptionKey: new Secret(KEY.slice(0, 24)) }),
    profile: parseProfile(JSON.stringify(file)),
    notificationUrl: () => 'https://pay.example/v1/gateway/notifications',
    observe: (call) => calls.push(call),
  });
  opened.push(gateway);
  return gateway;
}

describe('operations that a gateway may have', () => {
  const operation = (path: string): object => ({ method: 'POST', path, credentials: true });
  const file = {
    operations: {
      validatePin: operation('/pin'),
      refund: { ...operation('/refund'), amountUnit: 'major-number' },
      refundStatus: operation('/refund/status'),
    },
  };

  test('carry their fields', async () => {
    const gateway = gatewayWith(file);
    for (const path of ['/pin', '/refund', '/refund/status'])
      peer.script(`POST ${path}`, { do: 'answer', body: good });
    await gateway.validatePin({ ...payment, pin: new Secret('1234') });
    await gateway.refund({ ...payment, amount: 50_000n, refundRef: 'R_1_r1' });
    await gateway.refundStatus({ ...payment, refundRef: 'R_1_r1' });
    expect(peer.requests.map(({ text }) => text)).toEqual([
      '{"client_ref":"R_1","transactionRef":"T1","pin":"1234"}',
      '{"client_ref":"R_1","transactionRef":"T1","refundRef":"R_1_r1","amount":500.00,"currency":"NGN"}',
      '{"client_ref":"R_1","transactionRef":"T1","refundRef":"R_1_r1"}',
    ]);
  });

  test('make what they answer possible; without them it is a challenge that nobody can put to a payer', async () => {
    const pin = { outcome: { meanings: { pin: ['PIN'] } } };
    peer.script('POST /payment/card', { do: 'answer', body: cardAnswer({ status: 'PIN' }) });
    const meaning = async (gateway: Gateway): Promise<unknown> => {
      const result = await gateway.payCard(cardPaymentInput());
      return result.kind === 'answered' && result.answer.meaning;
    };
    expect(await meaning(gatewayWith({ ...file, ...pin }))).toBe('pin');
    expect(await meaning(gatewayWith(pin))).toBe('unsupported');
    peer.script('POST /payment/card', { do: 'answer', body: cardAnswer({ status: 'OTP_REQUIRED' }) });
    expect(await meaning(gatewayWith({ operations: { validateOtp: null } }))).toBe('unsupported');
  });

  test('that it lacks send nothing', async () => {
    const gateway = gatewayWith({ operations: { void: null, listUssdBanks: null } });
    expect(gateway.supports('void')).toBe(false);
    expect(gateway.supports('refund')).toBe(false);
    expect(await gateway.void(payment)).toEqual({ kind: 'not-sent', reason: 'abandoned' });
    expect(await gateway.listUssdBanks()).toEqual({ kind: 'not-sent', reason: 'abandoned' });
    expect(peer.requests).toEqual([]);
  });
});

describe('a body', () => {
  test('is encrypted as the profile writes it, and what is in it leaves the open one', async () => {
    const encryption = {
      ...{ scheme: '3des-ecb', envelope: 'authData' },
      scope: ['cardNumber', 'card_pin', 'cvv', 'expiryMonth', 'expiryYear'],
      plaintext: '1Z{cardNumber}Z{card_pin}Z{expiryYY}{expiryMonth}Z{cvv}',
    };
    peer.script('POST /payment/card', { do: 'answer', body: good });
    await gatewayWith({ encryption }).payCard(cardPaymentInput({ pin: '1234' }));
    const body = peer.requests[0]?.json as Record<string, string>;
    const cipher = createDecipheriv('des-ede3-ecb', KEY.slice(0, 24), null);
    const text = cipher.update(body['authData'] ?? '', 'base64', 'utf8') + cipher.final('utf8');
    expect(text).toBe(`1Z${gatewaySecrets.cardNumber}Z1234Z3012Z111`);
    for (const name of encryption.scope) expect(body).not.toHaveProperty(name);
    expect(body).toMatchObject({ client_ref: 'ORDER-1001_1', amount: '1500.00' });
    expect(peer.requests[0]?.text).not.toContain(gatewaySecrets.cardNumber);
  });

  test('is a form, with its own type', async () => {
    peer.script('POST /payment/void', { do: 'answer', body: good });
    await gatewayWith({ operations: { void: { encode: 'form', rename: { client_ref: '/order/id' } } } }).void(
      payment,
    );
    expect(peer.requests[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(peer.requests[0]?.text).toBe('order%5Bid%5D=R_1&transactionRef=T1');
  });

  test('is a query', async () => {
    peer.script('GET /transaction/*', { do: 'answer', body: good });
    const operation = {
      path: '/transaction/{client_ref}?v=2',
      encode: 'query',
      omit: ['client_ref'],
      constants: { lang: 'en' },
    };
    await gatewayWith({ operations: { transactionStatus: operation } }).transactionStatus(payment);
    expect(peer.requests[0]).toMatchObject({
      path: '/transaction/R_1?v=2&transactionRef=T1&lang=en',
      text: '',
    });
  });

  test('carries what the profile includes, and what is kept', async () => {
    peer.script('POST /payment/void', { do: 'answer', body: good });
    const operation = {
      include: ['payerName', 'notifyUrl', 'tokenId', 'amountMinor'],
      rename: { tokenId: '/card/token' },
      constants: { note: 'for {payerName}', '/meta/mail': { value: '{payerEmail}', when: 'payerEmail' } },
      headers: { 'Idempotency-Key': 'void-{client_ref}' },
    };
    const gateway = gatewayWith({ operations: { payCard: { keep: { tokenId: '/id' } }, void: operation } });
    await gateway.void({
      ...payment,
      payer: { firstName: 'Ada', lastName: 'Obi' },
      kept: { tokenId: 'tk_1' },
    });
    expect(peer.requests[0]?.json).toEqual({
      ...{ client_ref: 'R_1', transactionRef: 'T1', payerName: 'Ada Obi', amountMinor: 150_000 },
      ...{
        notifyUrl: 'https://pay.example/v1/gateway/notifications',
        card: { token: 'tk_1' },
        note: 'for Ada Obi',
      },
    });
    expect(peer.requests[0]?.headers['idempotency-key']).toBe('void-R_1');
    expect(gateway.namesPayer('void')).toBe(true);
    expect(gateway.namesPayer('complete')).toBe(false);
  });
});

describe('an answer', () => {
  const file = {
    operations: { payCard: { keep: { tokenId: '/data/card/token' } } },
    outcome: { readStatuses: [400, 404] },
  };

  test('hands over what is kept of it', async () => {
    const body = { ...good, data: { ...(good as { data: object }).data, card: { token: 'tk_1' } } };
    peer.script('POST /payment/card', { do: 'answer', body });
    expect(await gatewayWith(file).payCard(cardPaymentInput())).toMatchObject({
      answer: { kept: { tokenId: 'tk_1' } },
    });
  });

  test('counts beside a status that the profile reads, where it lists the word, and never where a payment begins', async () => {
    const gateway = gatewayWith(file);
    peer.script('GET /transaction/*', { do: 'answer', status: 404, body: notFoundAnswer });
    expect(await gateway.transactionStatus(payment)).toMatchObject({
      answer: { meaning: 'unknownTransaction' },
    });
    peer.script('GET /transaction/*', {
      do: 'answer',
      status: 404,
      body: { error: true, message: 'no such page' },
    });
    expect(await gateway.transactionStatus(payment)).toMatchObject({ kind: 'rejected', status: 404 });
    peer.script('GET /transaction/*', { do: 'answer', status: 422, body: notFoundAnswer });
    expect(await gateway.transactionStatus(payment)).toMatchObject({ kind: 'rejected', status: 422 });
    peer.script('POST /payment/card', { do: 'answer', status: 400, body: good });
    expect(await gateway.payCard(cardPaymentInput())).toMatchObject({ kind: 'rejected', status: 400 });
  });
});

describe('a token', () => {
  const file = {
    credentials: { default: { authorization: 'Bearer {token}' } },
    token: { method: 'POST', path: '/token', body: { key: '{apiKey}' }, value: '/token', expiresIn: 600 },
  };
  const granted = { do: 'answer', body: { token: 'A' } } as const;

  test('that was just fetched and is refused is no reason to send again', async () => {
    peer.script('POST /token', granted);
    peer.script('POST /payment/void', { do: 'answer', status: 401, body: {} });
    const gateway = gatewayWith(file);
    expect(await gateway.void(payment)).toEqual({ kind: 'credentials-rejected', status: 401 });
    expect(peer.requestsTo('POST /payment/void')).toHaveLength(1);
    expect(peer.requestsTo('POST /token')[0]?.text).toBe(`{"key":"${gatewaySecrets.apiKey}"}`);
    expect(calls.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['token', 'token'],
      ['void', 'credentials-rejected'],
    ]);
  });

  test('from the cache is, once, and the gate is asked again', async () => {
    peer.script('POST /token', granted);
    peer.script('POST /payment/void', { do: 'answer', body: good }, { do: 'answer', status: 401, body: {} });
    const gateway = gatewayWith(file);
    const once = jest.fn(() => true);
    await gateway.void(payment, { beforeSend: once });
    const twice = jest.fn(() => true);
    const refused = { kind: 'credentials-rejected', status: 401 };
    expect(await gateway.void(payment, { beforeSend: twice })).toEqual(refused);
    expect(twice).toHaveBeenCalledTimes(once.mock.calls.length * 2);
    expect(peer.requestsTo('POST /payment/void')).toHaveLength(3);
  });

  test('is not tried again once the gate is closed, and was refused all the same', async () => {
    peer.script('POST /token', granted);
    peer.script('POST /payment/void', { do: 'answer', body: good }, { do: 'answer', status: 401, body: {} });
    const gateway = gatewayWith(file);
    await gateway.void(payment);
    const beforeSend = (): boolean => peer.requestsTo('POST /payment/void').length < 2;
    expect(await gateway.void(payment, { beforeSend })).toEqual({
      kind: 'credentials-rejected',
      status: 401,
    });
    expect(peer.requestsTo('POST /payment/void')).toHaveLength(2);
  });

  test.each([
    [
      { do: 'answer', status: 401, body: {} },
      { kind: 'credentials-rejected', status: 401 },
    ],
    [{ do: 'answer', status: 429, body: {} }, { kind: 'busy' }],
    [
      { do: 'answer', status: 500, body: {} },
      { kind: 'not-sent', reason: 'token' },
    ],
    [
      { do: 'answer', body: { token: 'a b' } },
      { kind: 'not-sent', reason: 'token' },
    ],
    [{ do: 'reset-after-reading' }, { kind: 'not-sent', reason: 'token' }],
  ] as const)('that cannot be had: nothing was sent (%j)', async (behaviour, expected) => {
    peer.script('POST /token', behaviour);
    expect(await gatewayWith(file).void(payment)).toEqual(expected);
    expect(peer.requestsTo('POST /payment/void')).toEqual([]);
  });

  test('comes from an address of its own', async () => {
    const elsewhere = await startMisbehavingGateway();
    elsewhere.script('POST /oauth?v=1', granted);
    peer.script('POST /payment/void', { do: 'answer', body: good });
    await gatewayWith({ ...file, token: { ...file.token, path: `${elsewhere.url}/oauth?v=1` } }).void(
      payment,
    );
    expect(peer.requests[0]?.headers['authorization']).toBe('Bearer A');
    await elsewhere.close();
  });
});
