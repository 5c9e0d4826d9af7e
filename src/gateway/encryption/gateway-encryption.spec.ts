import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { cardAnswer } from '../../../test/harness/gateway-answers.js';
import { cardPaymentInput, gatewayConfig, gatewaySecrets } from '../../../test/harness/gateway-inputs.js';
import {
  startMisbehavingGateway,
  type MisbehavingGateway,
} from '../../../test/harness/misbehaving-gateway.js';
import { ConfigError } from '../../config/read-config.js';
import { Secret } from '../../secrets/secret.js';
import { Gateway, type GatewayCall } from '../gateway.js';
import { parseProfile } from '../profile/load.js';

const CARD_NUMBER = gatewaySecrets.cardNumber;

let peer: MisbehavingGateway;
const gateways: Gateway[] = [];
const calls: GatewayCall[] = [];

beforeAll(async () => {
  peer = await startMisbehavingGateway();
});

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await peer.close();
});

beforeEach(() => {
  peer.forget();
  calls.length = 0;
  peer.script('POST /payment/card', { do: 'answer', body: cardAnswer({ status: 'SUCCESS' }) });
});

function gatewayWith(
  encryption: object,
  { key, encrypt = {} }: { key?: string; encrypt?: object } = {},
): Gateway {
  const operations =
    'operation' in encryption
      ? { encrypt: { method: 'POST', path: '/encrypt', credentials: true, ...encrypt } }
      : {};
  const gateway = new Gateway({
    config: gatewayConfig(peer.url, {
      timeoutMs: 2_000,
      ...(key !== undefined && { encryptionKey: new Secret(key) }),
    }),
    profile: parseProfile(JSON.stringify({ operations, encryption })),
    observe: (call) => calls.push(call),
  });
  gateways.push(gateway);
  return gateway;
}

const card = cardPaymentInput();

describe('a scheme of our own', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();

  test.each([
    ['3des-ecb', 'k'.repeat(24), ['client']],
    ['aes-256-cbc', 'k'.repeat(32), ['data', 'iv']],
    ['aes-256-gcm', 'k'.repeat(32), ['charge_data']],
    ['rsa-oaep-256', pem, ['data']],
    ['rsa-pkcs1', pem, ['data']],
    ['rsa-wrapped-aes-256-gcm', pem, ['key', 'iv', 'data', 'tag']],
    ['jwe', pem, ['data']],
  ])('%s sends its envelope and nothing in the clear', async (scheme, key, members) => {
    expect(await gatewayWith({ scheme }, { key }).payCard(card)).toMatchObject({
      answer: { meaning: 'succeeded' },
    });
    const [request] = peer.requests;
    expect(Object.keys(request?.json as object).sort()).toEqual([...members].sort());
    expect(request?.text).not.toContain(CARD_NUMBER);
  });

  test.each([
    ['without its key', undefined],
    ['with a key that does not suit', 'short'],
  ])('%s stops the start', (_name, key) => {
    expect(() => gatewayWith({ scheme: 'aes-256-gcm' }, { ...(key !== undefined && { key }) })).toThrow(
      ConfigError,
    );
  });
});

describe("the gateway's own encryption", () => {
  const encryption = { scheme: 'gateway-endpoint', operation: 'encrypt' };

  test('is asked first, with the body; its answer is what is sent', async () => {
    peer.script('POST /encrypt', { do: 'answer', body: { error: false, payload: 'sealed' } });
    const beforeSend = jest.fn(() => {
      expect(peer.requestsTo('POST /encrypt')).toHaveLength(1);
      return true;
    });
    const gateway = gatewayWith(encryption, { encrypt: { constants: { mode: 'card' } } });
    expect(await gateway.payCard(card, { beforeSend })).toMatchObject({ answer: { meaning: 'succeeded' } });
    expect(beforeSend).toHaveBeenCalledTimes(2);
    const [first, second] = peer.requests;
    expect(first).toMatchObject({
      path: '/encrypt',
      json: { cardNumber: CARD_NUMBER, client_ref: 'ORDER-1001_1', mode: 'card' },
    });
    expect(first?.headers['x-api-key']).toBe(gatewaySecrets.apiKey);
    expect(second).toMatchObject({ path: '/payment/card', json: { error: false, payload: 'sealed' } });
    expect(calls.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
      'encrypt encrypted',
      'payCard succeeded',
    ]);
  });

  test('of some fields, by one value of the answer, beside constants', async () => {
    peer.script('POST /encrypt', { do: 'answer', body: { error: false, data: { cipher: 'sealed' } } });
    const gateway = gatewayWith({
      ...encryption,
      scope: ['cardNumber', 'cvv'],
      envelope: '/data/cipher',
      siblings: { v: 2 },
    });
    await gateway.payCard(card);
    const [first, second] = peer.requests;
    expect(first?.json).toEqual({ cardNumber: CARD_NUMBER, cvv: '111' });
    expect(second?.json).toMatchObject({ data: { cipher: 'sealed' }, v: 2, client_ref: 'ORDER-1001_1' });
    expect(second?.text).not.toContain(CARD_NUMBER);
  });

  test.each([
    [
      'an error',
      { do: 'answer', body: { error: true, payload: 'x' } },
      { kind: 'not-sent', reason: 'encryption' },
    ],
    ['no object', { do: 'answer', body: 'sealed' }, { kind: 'not-sent', reason: 'encryption' }],
    ['HTML', { do: 'text', text: '<html>' }, { kind: 'not-sent', reason: 'encryption' }],
    ['a 500', { do: 'answer', status: 500, body: {} }, { kind: 'not-sent', reason: 'encryption' }],
    ['a 400', { do: 'answer', status: 400, body: {} }, { kind: 'not-sent', reason: 'encryption' }],
    ['a reset', { do: 'reset-after-reading' }, { kind: 'not-sent', reason: 'encryption' }],
    ['silence', { do: 'silent' }, { kind: 'not-sent', reason: 'encryption' }],
    ['a 401', { do: 'answer', status: 401, body: {} }, { kind: 'credentials-rejected', status: 401 }],
    [
      'a 429',
      { do: 'answer', status: 429, body: {}, headers: { 'retry-after': '9' } },
      { kind: 'busy', retryAfterSeconds: 9 },
    ],
  ] as const)('answered by %s: the charge is not sent', async (_name, behaviour, expected) => {
    peer.script('POST /encrypt', behaviour);
    const beforeSend = jest.fn(() => true);
    expect(await gatewayWith(encryption).payCard(card, { beforeSend })).toEqual(expected);
    expect(beforeSend).not.toHaveBeenCalled();
    expect(peer.requestsTo('POST /payment/card')).toHaveLength(0);
    expect(calls).toMatchObject([{ operation: 'encrypt' }, { operation: 'payCard', outcome: expected.kind }]);
  });

  test('an envelope that the answer lacks: the charge is not sent', async () => {
    peer.script('POST /encrypt', { do: 'answer', body: { error: false, data: {} } });
    const gateway = gatewayWith({ ...encryption, envelope: '/data/cipher' });
    expect(await gateway.payCard(card)).toEqual({ kind: 'not-sent', reason: 'encryption' });
  });
});
