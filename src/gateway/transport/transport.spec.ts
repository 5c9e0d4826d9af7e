import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { readRetryAfter } from '../answers/http-status.js';
import { Transport, type TransportResult } from './transport.js';

const TEXT = '{"error":false,"message":"Àṣẹ"}';

let server: Server;
let transport: Transport;
let reply: (socket: Socket, request: string) => void;
const sockets = new Set<Socket>();

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (data) => reply(socket, data.toString('latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  transport = new Transport({ baseUrl: `http://127.0.0.1:${port}/base/`, timeoutMs: 10_000, tls: {} });
});

afterAll(async () => {
  await transport.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

function send(
  over: { body?: string; path?: string; headers?: Record<string, string>; withinMs?: number } = {},
): Promise<TransportResult> {
  const { body = '{}', path = '/x', headers = {}, withinMs = 30_000 } = over;
  return transport.send({ method: 'POST', path, headers, body, deadline: performance.now() + withinMs });
}

function http(body: string | Buffer, headers = '', status = '200 OK'): Buffer {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length}\r\n${headers}\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

describe('an answer that comes whole', () => {
  test.each<[string, () => Buffer]>([
    ['plain', () => http(TEXT)],
    ['with a byte order mark', () => http(`\uFEFF${TEXT}`)],
    ['in gzip', () => http(gzipSync(TEXT), 'Content-Encoding: GZIP\r\n')],
    ['in deflate', () => http(deflateSync(TEXT), 'content-encoding: deflate\r\n')],
    ['in bare deflate', () => http(deflateRawSync(TEXT), 'content-encoding: deflate\r\n')],
    ['in brotli', () => http(brotliCompressSync(TEXT), 'content-encoding: br\r\n')],
    ['as it is', () => http(TEXT, 'content-encoding: identity\r\n')],
    [
      'after an early hint',
      () => Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), http(TEXT)]),
    ],
    [
      'in chunks',
      () =>
        Buffer.from(
          `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${Buffer.byteLength(TEXT).toString(16)}\r\n${TEXT}\r\n0\r\n\r\n`,
        ),
    ],
  ])('%s', async (_name, answer) => {
    reply = (socket) => socket.write(answer());
    expect(await send()).toEqual({
      kind: 'response',
      status: 200,
      body: { text: TEXT },
      retryAfter: undefined,
    });
  });

  test('until the connection closes', async () => {
    reply = (socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${TEXT}`);
    expect(await send()).toMatchObject({ kind: 'response', body: { text: TEXT } });
  });

  test('in very many small pieces', async () => {
    const body = `{"message":"${'x'.repeat(20_000)}"}`;
    reply = (socket) => {
      for (const byte of http(body)) socket.write(Buffer.of(byte));
    };
    expect(await send()).toMatchObject({ kind: 'response', body: { text: body } });
  });

  test('with its Retry-After', async () => {
    reply = (socket) => socket.write(http('', 'Retry-After: 7\r\n', '429 Slow Down'));
    expect(await send()).toMatchObject({ kind: 'response', status: 429, retryAfter: '7' });
  });
});

describe('an answer that does not', () => {
  test.each<[string, () => Buffer, TransportResult]>([
    [
      'half of gzip',
      () => http(gzipSync(TEXT).subarray(0, -9), 'content-encoding: gzip\r\n'),
      { kind: 'response', status: 200, body: { reason: 'cut' }, retryAfter: undefined },
    ],
    [
      'no gzip',
      () => http(TEXT, 'content-encoding: gzip\r\n'),
      { kind: 'response', status: 200, body: { reason: 'not-json' }, retryAfter: undefined },
    ],
    [
      'gzip twice',
      () => http(gzipSync(gzipSync(TEXT)), 'content-encoding: gzip, gzip\r\n'),
      { kind: 'response', status: 200, body: { reason: 'not-json' }, retryAfter: undefined },
    ],
    ['no HTTP', () => Buffer.from('SSH-2.0-OpenSSH_9.2\r\n\r\n'), { kind: 'unknown', reason: 'other' }],
    [
      'endless headers',
      () => Buffer.from(`HTTP/1.1 200 OK\r\n${`x-a: ${'y'.repeat(1000)}\r\n`.repeat(40)}\r\n`),
      { kind: 'unknown', reason: 'other' },
    ],
    [
      'a length that is none',
      () => Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n{}'),
      { kind: 'unknown', reason: 'other' },
    ],
  ])('%s', async (_name, answer, expected) => {
    reply = (socket) => socket.write(answer());
    expect(await send()).toEqual(expected);
  });

  test('less than it promised', async () => {
    reply = (socket) => socket.end(http(TEXT).subarray(0, -1));
    expect(await send()).toEqual({ kind: 'unknown', reason: 'cut', status: 200 });
  });
});

test('an answer that comes too late is nobody else’s', async () => {
  let first = true;
  reply = (socket, request) => {
    const late = first;
    first = false;
    setTimeout(
      () => socket.write(http(`{"to":"${/x-call: (\w+)/.exec(request)?.[1]}"}`)),
      late ? 600 : 1_000,
    );
  };
  const one = await send({ headers: { 'x-call': 'one' }, withinMs: 300 });
  expect(one).toEqual({ kind: 'unknown', reason: 'timeout' });
  for (const call of ['two', 'three']) {
    expect(await send({ headers: { 'x-call': call } })).toMatchObject({ body: { text: `{"to":"${call}"}` } });
  }
});

test('many calls at once each get their own answer', async () => {
  reply = (socket, request) => {
    const call = /x-call: (\w+)/.exec(request)?.[1] ?? '';
    setTimeout(() => socket.write(http(`{"to":"${call}"}`)), Math.random() * 30);
  };
  const answers = await Promise.all(
    Array.from(
      { length: 60 },
      async (_, index) => [index, await send({ headers: { 'x-call': `c${index}` } })] as const,
    ),
  );
  for (const [index, answer] of answers)
    expect(answer).toMatchObject({ body: { text: `{"to":"c${index}"}` } });
});

test('the path goes below the base address, and a profile’s header replaces the usual one', async () => {
  let seen = '';
  reply = (socket, request) => {
    seen = request;
    socket.write(http('{}'));
  };
  await send({ path: '/pay/%2F?x=1', headers: { 'user-agent': 'shop' } });
  expect(seen).toMatch(/^POST \/base\/pay\/%2F\?x=1 HTTP\/1\.1\r\n/);
  expect(seen).toMatch(/\r\nuser-agent: shop\r\n/i);
  expect(seen).toMatch(/\r\naccept-encoding: identity\r\n/i);
  expect(seen.match(/user-agent/gi)).toHaveLength(1);
});

test('a line break in a header makes no second header', async () => {
  let seen = '';
  reply = (socket, request) => {
    seen = request;
    socket.write(http('{}'));
  };
  await send({ headers: { 'x-api-key': 'a\r\nx-evil: 1' } });
  expect(seen).not.toMatch(/^x-evil/im);
});

test.each([
  ['17', 17],
  [' 17 ', 17],
  ['0', 0],
  ['999999', 86_400],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 30],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['-3', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j is %j seconds', (header, seconds) => {
  expect(readRetryAfter(header, 30_000)).toBe(seconds);
});
