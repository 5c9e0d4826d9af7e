import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cardAnswer, notFoundAnswer } from '../../test/harness/gateway-answers.js';
import type { Behaviour } from '../../test/harness/gateway-behaviour.js';
import { cardPaymentInput, gatewayConfig } from '../../test/harness/gateway-inputs.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../../test/harness/misbehaving-gateway.js';
import type { Config } from '../config/config.js';
import { Gateway, type GatewayCall, type GatewayResult } from './gateway.js';
import { loadProfile } from './profile/load.js';

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

function makeGateway(over: Partial<Config['gateway']> = {}): Gateway {
  return new Gateway({
    config: gatewayConfig(peer.url, over),
    profile: loadProfile(),
    observe: (call) => calls.push(call),
  });
}

describe('what became of a call', () => {
  const good = cardAnswer({ status: 'SUCCESS' });
  const usedReference = cardAnswer(
    { status: 'FAILED' },
    { error: true, errorCode: 'DUPLICATE', message: 'Used before' },
  );
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
    ...[200, 400, 409, 422].map((status): [string, Behaviour, GatewayResult] => [
      `${status} that refuses the reference as used`,
      { do: 'answer', status, body: usedReference },
      { kind: 'answered', answer: expect.objectContaining({ meaning: 'referenceUsed' }) as never },
    ]),
    [
      '404 with the word for a used reference',
      { do: 'answer', status: 404, body: usedReference },
      { kind: 'rejected', status: 404, message: 'Used before', code: 'DUPLICATE' },
    ],
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
    expect(await gateway.payCard(cardPaymentInput())).toEqual(expected);
    // Whatever it sends, it is not waited for beyond the time of a call, which is 3 s here.
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(peer.requestsTo('POST /payment/card').length).toBeLessThanOrEqual(1);
  });

  test.each([301, 302, 303, 307, 308] as const)('a %i is never followed', async (code) => {
    peer.script('POST /payment/card', { do: 'redirect', status: code, location: `${peer.url}/elsewhere` });
    peer.script('POST /elsewhere', { do: 'answer', body: good });
    expect(await gateway.payCard(cardPaymentInput())).toEqual({
      kind: 'unknown',
      reason: 'redirected',
      status: code,
    });
    expect(peer.requests).toHaveLength(1);
  });

  test.each([200, 201, 202])('%i is read as an answer', async (code) => {
    peer.script('POST /payment/card', { do: 'answer', status: code, body: good });
    expect(await gateway.payCard(cardPaymentInput())).toMatchObject({
      kind: 'answered',
      answer: { meaning: 'succeeded' },
    });
  });

  test('nobody there: nothing was sent', async () => {
    const lonely = makeGateway({ baseUrl: 'http://127.0.0.1:1' });
    expect(await lonely.payCard(cardPaymentInput())).toEqual({
      kind: 'not-sent',
      reason: 'refused',
      cause: 'ECONNREFUSED',
    });
    expect(calls).toEqual([{ operation: 'payCard', outcome: 'not-sent', seconds: expect.any(Number) }]);
    await lonely.close();
  });

  test('a name that does not exist: nothing was sent', async () => {
    const lost = makeGateway({ baseUrl: 'http://gateway.invalid' });
    expect(await lost.payCard(cardPaymentInput())).toEqual({
      kind: 'not-sent',
      reason: 'dns',
      cause: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/),
    });
    await lost.close();
  });

  test('after closing: nothing was sent', async () => {
    const closed = makeGateway();
    await closed.close();
    expect(await closed.payCard(cardPaymentInput())).toEqual({ kind: 'not-sent', reason: 'abandoned' });
    expect(peer.requests).toHaveLength(0);
  });

  test('a proxy of the environment is not used', async () => {
    peer.script('POST /payment/card', { do: 'answer', body: good });
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = 'http://127.0.0.1:1';
    try {
      expect(await gateway.payCard(cardPaymentInput())).toMatchObject({ kind: 'answered' });
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
    expect(await fresh.payCard(cardPaymentInput())).toMatchObject({ kind: 'answered' });
    await nextTurn();
    expect(await fresh.payCard(cardPaymentInput())).toEqual({ kind: 'unknown', reason: 'reset' });
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
    const fresh = makeGateway({ timeoutMs: 1_500 });
    const before = peer.connections();
    expect(await fresh.payCard(cardPaymentInput())).toEqual({ kind: 'unknown', reason: 'timeout' });
    expect(await fresh.payCard(cardPaymentInput())).toMatchObject({ kind: 'answered' });
    expect(peer.connections() - before).toBeGreaterThanOrEqual(2);
    await fresh.close();
  });
});
