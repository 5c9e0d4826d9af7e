import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sessionRequest, type ProblemBody, type SessionBody } from '../harness/client.js';
import { sendRaw, type RawAnswer } from '../harness/raw-http.js';
import { startScene, type Scene } from '../harness/scene.js';

/** What reaches a server that stands on the internet: refused with a problem document, whoever refuses it. */

let scene: Scene;
let session: SessionBody;

beforeAll(async () => {
  scene = await startScene('embedded');
  session = await scene.client.createSession();
});
afterAll(() => scene.stop());

function request(
  body: string | Buffer,
  headers: Record<string, string> = {},
  first = 'POST /v1/checkout-sessions',
): Buffer {
  const bytes = Buffer.from(body);
  const all: Record<string, string> = {
    host: 'till.example',
    authorization: `Bearer ${scene.tillfront.merchantKey}`,
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    'idempotency-key': crypto.randomUUID(),
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${first} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]);
}

function expectProblem(answer: RawAnswer, status: number, code: string): ProblemBody {
  expect([answer.status, answer.headers['content-type']]).toEqual([
    status,
    expect.stringMatching(/^application\/problem\+json/),
  ]);
  const problem = JSON.parse(answer.text) as ProblemBody;
  expect(problem).toMatchObject({ status, code });
  for (const member of ['type', 'title', 'detail', 'requestId'] as const) {
    expect(typeof problem[member]).toBe('string');
  }
  expect(answer.headers['x-request-id']).toBe(problem.requestId);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  return problem;
}

const send = (...parts: (string | Buffer)[]) => sendRaw(scene.tillfront.port, parts);
const nested = (depth: number) => '{"metadata":'.repeat(depth) + '1' + '}'.repeat(depth);

describe('HTTP itself', () => {
  test('is not HTTP at all', async () => {
    expectProblem(await send('HELLO\r\n\r\n'), 400, 'malformed-request');
  });

  test('has two lengths', async () => {
    const two = request('{}')
      .toString()
      .replace('connection: close', 'content-length: 3\r\nconnection: close');
    expectProblem(await send(two), 400, 'malformed-request');
  });

  test('has a length and chunks', async () => {
    expectProblem(await send(request('{}', { 'transfer-encoding': 'chunked' })), 400, 'malformed-request');
  });

  test('has headers of more than 16 KiB', async () => {
    expectProblem(await send(request('{}', { 'x-long': 'x'.repeat(17 * 1024) })), 431, 'header-too-large');
  });

  test('has an address of more than its length', async () => {
    const answer = await send(request('', {}, `GET /v1/payments/${'x'.repeat(10_000)}`));
    expect([404, 414]).toContain(answer.status);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  test('headers that do not end', async () => {
    const answer = await sendRaw(
      scene.tillfront.port,
      ['POST /v1/checkout-sessions HTTP/1.1\r\nhost: x\r\n'],
      { withinMs: 60_000 },
    );
    expectProblem(answer, 408, 'request-timeout');
    // After 10 s, which are looked at every 5 s.
    expect(answer.tookMs).toBeLessThan(16_500);
  });
});

describe('a body', () => {
  const good = () => JSON.stringify(sessionRequest());

  test.each<[string, string]>([
    ['that is cut', '{"reference":'],
    ['with __proto__', '{"__proto__":{"amount":"1.00"}}'],
    ['with an escaped __proto__', '{"\\u005f_proto__":{"amount":"1.00"}}'],
    ['with a raw control character', '{"reference":"A\u0001B"}'],
    ['with something behind it', '{} {}'],
  ])('%s is refused', async (_name, body) => {
    expectProblem(await send(request(body)), 400, 'malformed-json');
  });

  test.each<[string, string | Buffer]>([
    ['that is empty', ''],
    ['with constructor', '{"metadata":{"constructor":{"prototype":1}}}'],
    ['with NUL', '{"reference":"A\\u0000B","amount":"1.00","currency":"NGN"}'],
    ['that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['nested 21 deep', nested(21)],
    ['nested 2,500 deep', nested(2_500)],
    ['that is a list', '[]'],
    ['that is a text', '"x"'],
    ['that is null', 'null'],
    ['that is a number', '1'],
  ])('%s is no session', async (_name, body) => {
    const answer = await send(request(body));
    expectProblem(answer, 400, (JSON.parse(answer.text) as ProblemBody).code);
    expect(answer.text).toMatch(/"code":"(malformed-json|validation-failed)"/);
  });

  test('with a key twice counts as written last', async () => {
    const body = good().replace('{', '{"\\u0061mount":"1.00","amount":"2.00",');
    const answer = await send(request(body));
    expect([answer.status, (JSON.parse(answer.text) as SessionBody).amount]).toEqual([201, '1500.00']);
  });

  test('with half a surrogate in a text is taken', async () => {
    const answer = await send(request(good().replace('{', '{"metadata":{"a":"x\\ud800"},')));
    expect(answer.status).toBe(201);
  });

  test('with a byte order mark is read', async () => {
    expect((await send(request(`\ufeff${good()}`))).status).toBe(201);
  });

  test('of more than 32 KiB', async () => {
    const large = JSON.stringify(sessionRequest({ metadata: { a: 'x'.repeat(33 * 1024) } }));
    expectProblem(await send(request(large)), 413, 'body-too-large');
  });

  test('of more than 32 KiB in chunks', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const head = request('', { 'content-length': '', 'transfer-encoding': 'chunked' });
    expectProblem(await send(head, chunk, chunk, '0\r\n\r\n'), 413, 'body-too-large');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    '',
  ])('of the type %j', async (type) => {
    expectProblem(await send(request(good(), { 'content-type': type })), 415, 'unsupported-media-type');
  });

  test('of JSON with a charset is JSON', async () => {
    const answer = await send(request(good(), { 'content-type': 'application/json; charset=utf-8' }));
    expect(answer.status).toBe(201);
  });
});

describe('where it comes from', () => {
  test('a foreign Host is served, and makes no address', async () => {
    const answer = await send(
      request(JSON.stringify(sessionRequest()), {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      }),
    );
    expect(answer.status).toBe(201);
    expect(answer.text).not.toContain('evil.example');
  });

  test('a foreign origin is refused, without a grant', async () => {
    const answer = await send(request(JSON.stringify(sessionRequest()), { origin: 'https://evil.example' }));
    expectProblem(answer, 403, 'origin-not-allowed');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('an origin that only looks allowed is foreign', async () => {
    for (const origin of [
      'https://shop.example.evil.example',
      'http://shop.example',
      'https://shop.example:444',
      'null',
    ]) {
      const answer = await send(
        request('', { origin, authorization: `Bearer ${session.clientToken}` }, 'GET /v1/checkout-session'),
      );
      expectProblem(answer, 403, 'origin-not-allowed');
    }
  });

  test('the shop’s own origin is granted, preflight too', async () => {
    const origin = 'https://shop.example';
    const read = await send(
      request('', { origin, authorization: `Bearer ${session.clientToken}` }, 'GET /v1/checkout-session'),
    );
    expect(read.status).toBe(200);
    expect(read.headers['access-control-allow-origin']).toBe(origin);
    const preflight = await send(
      request(
        '',
        {
          origin,
          authorization: '',
          'content-type': '',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,idempotency-key',
        },
        'OPTIONS /v1/payments/card',
      ),
    );
    expect(preflight.status).toBeLessThan(300);
    expect(preflight.headers['access-control-allow-origin']).toBe(origin);
    expect(preflight.headers['access-control-allow-headers']?.toLowerCase()).toContain('idempotency-key');
  });
});

test('every answer has its request id, and takes none that could break a log', async () => {
  const answer = await send(request('', { 'x-request-id': 'a"b\\c' + 'x'.repeat(300) }, 'GET /health/live'));
  expect(answer.status).toBe(200);
  expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
});

test('the service is as well as before', async () => {
  await scene.client.createSession();
  expect(scene.tillfront.logs()).not.toMatch(/internal-error|uncaught|unhandled/i);
});
