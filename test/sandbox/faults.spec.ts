import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { cardBody, type Json, rawCall, SandboxClient, transactionOf, until } from './sandbox-client.js';

let client: SandboxClient;
beforeEach(async () => {
  client = await SandboxClient.start();
});
afterEach(() => client.close());

const queue = async (...faults: Json[]) => {
  const reply = await client.post('/sandbox/faults', faults);
  expect(reply.status).toBe(200);
};
const charged = async (ref: string) => (await client.truth(ref)).charged ?? '0.00';

/** A POST written by hand, whose answer's bytes are wanted as they come. */
const raw = async (body: Json, ms: number) => {
  const text = JSON.stringify(body);
  const head = [
    'POST /payment/card HTTP/1.1',
    'host: sandbox',
    'x-api-key: sandbox-key',
    'access-token: sandbox-token',
  ];
  const length = `content-length: ${Buffer.byteLength(text)}`;
  const rest = ['content-type: application/json', 'connection: close', length, '', text];
  const { bytes, ended } = await rawCall(client.sandbox.port, [...head, ...rest].join('\r\n'), ms);
  const at = bytes.indexOf('\r\n\r\n');
  return {
    ended,
    body: at < 0 ? Buffer.alloc(0) : bytes.subarray(at + 4),
    head: bytes.subarray(0, Math.max(at, 0)).toString(),
  };
};

describe.each([
  [true, '1500.00'],
  [false, '0.00'],
])('processed: %s', (processed, amount) => {
  test.each([
    'silent',
    'reset-after',
    'cut',
    'status',
    'html',
    'not-json',
    'wrong-json',
    'redirect',
    'unknown-status',
    'contradiction',
    'huge',
  ])(`%s leaves ${amount} charged`, async (kind) => {
    await queue({ kind, processed, operation: 'payCard' });
    // Only what never answers is given up on, and then it may not even have come there.
    const { ref } = await client.pay({}, kind === 'silent' ? 300 : undefined);
    await until(() => client.sandbox.recorder.list(ref, 'payCard')[0]?.fault === kind);
    expect(await charged(ref)).toBe(amount);
    const [request] = client.sandbox.recorder.list(ref, 'payCard');
    expect(request).toMatchObject({ fault: kind, processed });
  });
});

describe('what each fault sends', () => {
  test.each<[Json, Partial<Record<'status' | 'text', unknown>>]>([
    [{ kind: 'reset-before' }, { status: 'reset' }],
    [{ kind: 'reset-after' }, { status: 'reset' }],
    [{ kind: 'silent' }, { status: 'timeout' }],
    [{ kind: 'cut' }, { status: 'reset' }],
    [
      { kind: 'status', status: 503 },
      { status: 503, text: '' },
    ],
    [
      { kind: 'status', status: 429, headers: { 'retry-after': '5' }, body: { a: 1 } },
      { status: 429, text: '{"a":1}' },
    ],
    [
      { kind: 'status', status: 200, body: '{"error":false,"__proto__":{}}' },
      { status: 200, text: '{"error":false,"__proto__":{}}' },
    ],
    [{ kind: 'html' }, { status: 200, text: expect.stringContaining('<h1>') }],
    [{ kind: 'not-json' }, { status: 200, text: '{"error":false,"message":"Succ' }],
    [
      { kind: 'wrong-json', body: [] },
      { status: 200, text: '[]' },
    ],
    [{ kind: 'error-not-boolean' }, { status: 200, text: expect.stringContaining('"error":"false"') }],
    [
      { kind: 'unknown-status', word: 'MAYBE' },
      { status: 200, text: expect.stringContaining('"MAYBE"') },
    ],
    [{ kind: 'contradiction' }, { status: 200, text: expect.stringMatching(/"error":true.*"SUCCESS"/) }],
    [{ kind: 'other-amount' }, { status: 200, text: expect.stringContaining('"1501.00"') }],
    [{ kind: 'other-currency' }, { status: 200, text: expect.stringContaining('"USD"') }],
    [
      { kind: 'duplicate-keys' },
      { status: 200, text: expect.stringMatching(/^\{"error":true.*"error":false/) },
    ],
  ])('%j', async (fault, expected) => {
    await queue(fault);
    expect(await client.pay({}, fault.kind === 'silent' ? 300 : undefined)).toMatchObject(expected);
  });

  test('half of the body, then the end', async () => {
    await queue({ kind: 'cut' });
    const { ended, body, head } = await raw(cardBody(), 60_000);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(ended).toBe(true);
    expect(body.length).toBe(Math.floor(length / 2));
  });

  test('one byte at a time', async () => {
    await queue({ kind: 'trickle', intervalMs: 100 });
    const begun = performance.now();
    const { ended, body } = await raw(cardBody(), 1_500);
    expect(ended).toBe(false);
    expect(body.length).toBeGreaterThan(2);
    expect(body.length).toBeLessThan((performance.now() - begun) / 100 + 3);
  });

  test('2 MiB of JSON', async () => {
    await queue({ kind: 'huge' });
    const { json, text } = await client.pay();
    expect(text.length).toBeGreaterThan(2 * 1024 * 1024);
    expect(json.error).toBe(false);
  });

  test('a gzip bomb: small on the wire, 256 MiB inside', async () => {
    await queue({ kind: 'gzip-bomb' });
    const { body, head } = await raw(cardBody(), 60_000);
    expect(head).toMatch(/content-encoding: gzip/i);
    expect(body.length).toBeLessThan(1024 * 1024);
    expect(gunzipSync(body).length).toBe(256 * 1024 * 1024);
  });

  test.each([301, 302, 307, 308])('a %s to an address that records who follows', async (status) => {
    await queue({ kind: 'redirect', status });
    expect((await client.pay()).status).toBe(status);
    expect(client.sandbox.recorder.list(undefined, 'elsewhere')).toEqual([]);
    await client.post('/elsewhere/payCard', cardBody());
    const [follower] = client.sandbox.recorder.list(undefined, 'elsewhere');
    expect(follower).toMatchObject({
      method: 'POST',
      headers: expect.arrayContaining(['x-api-key', 'access-token']),
    });
  });

  test('an answer that is late', async () => {
    await queue({ kind: 'delay', delayMs: 200 });
    const begun = performance.now();
    await client.pay();
    expect(performance.now() - begun).toBeGreaterThan(190);
  });

  test('a charge that is later than the broken call', async () => {
    await queue({ kind: 'reset-before', processed: true, processAfterMs: 2_000 });
    const { ref, status } = await client.pay();
    expect(status).toBe('reset');
    expect((await client.status(ref)).error).toBe(true);
    await until(async () => (await charged(ref)) === '1500.00');
  });
});

describe('what status queries may say', () => {
  test('the former state, n times', async () => {
    const { ref } = await client.pay({ cardNumber: '4000000000000804' });
    await client.post(`/sandbox/transactions/${ref}/approve`);
    await queue({ kind: 'lag', operation: 'transactionStatus', times: 2 });
    const words = [];
    for (let index = 0; index < 3; index += 1) words.push(transactionOf(await client.status(ref)).status);
    expect(words).toEqual(['REDIRECT_REQUIRED', 'REDIRECT_REQUIRED', 'SUCCESS']);
  });

  test('not known, for ever', async () => {
    const { ref } = await client.pay();
    await queue({ kind: 'forget', operation: 'transactionStatus', client_ref: ref, times: 'forever' });
    for (let index = 0; index < 4; index += 1)
      expect(await client.status(ref)).toMatchObject({ error: true, data: { errorCode: 'NOT_FOUND' } });
    expect((await client.status((await client.pay()).ref)).error).toBe(false);
  });

  test('failed, though charged', async () => {
    const { ref } = await client.pay();
    await queue({ kind: 'contradict', operation: ['transactionStatus', 'transferUssdStatus'] });
    expect(await client.status(ref)).toMatchObject({
      error: true,
      data: { transaction: { status: 'FAILED' } },
    });
    expect(await charged(ref)).toBe('1500.00');
  });
});

describe('the queue', () => {
  test('hits the next N calls of its operation and reference, after those it skips', async () => {
    await queue({ kind: 'status', status: 503, operation: 'payCard', client_ref: 'A_1', skip: 1, times: 2 });
    const statuses = [];
    for (const client_ref of ['B_1', 'A_1', 'A_1', 'B_1', 'A_1', 'A_1'])
      statuses.push((await client.pay({ client_ref })).status);
    expect(statuses).toEqual([200, 200, 503, 200, 503, 200]);
  });

  test('with a probability, the same seed hits the same calls', async () => {
    const run = async (seed: number) => {
      await client.call('DELETE', '/sandbox/faults');
      await queue({ kind: 'status', operation: 'listUssdBanks', probability: 0.5, seed, times: 'forever' });
      const statuses = [];
      for (let index = 0; index < 24; index += 1) statuses.push((await client.get('/ussd/banks')).status);
      return statuses.join();
    };
    const first = await run(7);
    expect(await run(7)).toBe(first);
    expect(await run(8)).not.toBe(first);
    expect(first).toContain('200');
    expect(first).toContain('500');
  });

  test('an unprocessed follow-up moves nothing, whatever it answers', async () => {
    const { ref } = await client.pay({ cardNumber: '4000000000000903' });
    const { transactionRef } = await client.truth(ref);
    await queue({ kind: 'delay', delayMs: 1, processed: false, operation: 'void' });
    const { json } = await client.post('/payment/void', { client_ref: ref, transactionRef });
    expect(transactionOf(json).status).toBe('VOIDED');
    expect(await client.truth(ref)).toMatchObject({ state: 'authorized' });
  });

  test.each<[Json, string]>([
    [{ kind: 'nothing' }, 'kind'],
    [{ kind: 'cut', operation: 'chargeback' }, 'operation'],
    [{ kind: 'cut', times: 0 }, 'times'],
    [{ kind: 'cut', probability: 2 }, 'probability'],
    [{ kind: 'cut', processed: 'yes' }, 'processed'],
    [{ kind: 'status', status: 99 }, 'status'],
    [{ kind: 'delay' }, 'delayMs'],
    [{ kind: 'cut', tims: 1 }, 'tims'],
  ])('refuses %j by name', async (fault, name) => {
    const reply = await client.post('/sandbox/faults', fault);
    expect(reply.status).toBe(400);
    expect(reply.text).toContain(name);
    expect((await client.get('/sandbox/faults')).json.data).toEqual([]);
  });
});
