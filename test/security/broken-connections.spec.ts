import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startScene, type Scene } from '../harness/scene.js';
import { testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { freePort } from '../setup/free-port.js';

/** A client that goes in the middle of whatever it does ends its own connection and nothing else. */

let scene: Scene;
let ports: Record<'PORT' | 'MERCHANT_PORT' | 'MANAGEMENT_PORT', number>;

beforeAll(async () => {
  const [merchant, management] = await Promise.all([freePort(), freePort()]);
  scene = await startScene('embedded', {
    MERCHANT_PORT: String(merchant),
    MANAGEMENT_PORT: String(management),
    LOG_LEVEL: 'warn',
  });
  ports = { PORT: scene.tillfront.port, MERCHANT_PORT: merchant, MANAGEMENT_PORT: management };
});
afterAll(() => scene?.stop());

const HOST = 'Host: h\r\n';
const KEY = `Authorization: Bearer ${testKeys.merchant}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const request = (line: string, headers = '', body = ''): string =>
  `${line} HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
const upgrade = (to: string): string => `Connection: Upgrade\r\nUpgrade: ${to}\r\n`;
const session = JSON.stringify({ reference: 'R', amount: '10.00', currency: 'NGN' });
const sized = (body: string): string => `${JSON_TYPE}Content-Length: ${body.length}\r\n`;
const CHUNKED = `${JSON_TYPE}Transfer-Encoding: chunked\r\n`;

const SHAPES: Readonly<Record<string, string | Buffer>> = {
  'a read': request('GET /health/live'),
  'a read with a key': request('GET /v1/payments', KEY),
  'a head': request('HEAD /health/ready'),
  'no such address': request('GET /nothing'),
  'a page': request('GET /docs', KEY),
  'a large file': request('GET /docs/swagger-ui-bundle.js'),
  'another large file': request('GET /kit/tillfront.js'),
  metrics: request('GET /metrics', KEY),
  'options of all': request('OPTIONS *'),
  'a preflight': request(
    'OPTIONS /v1/payments',
    'Origin: https://shop.example\r\nAccess-Control-Request-Method: POST\r\n',
  ),
  'a trace': request('TRACE /'),
  'a removal': request('DELETE /v1/payments/x', KEY),
  'a change': request('PATCH /v1/payments/x', `${KEY}${sized('{}')}`, '{}'),
  'a session': request('POST /v1/checkout-sessions', `${KEY}${sized(session)}`, session),
  'a body that is no JSON': request('POST /v1/payments/card', sized('{"'), '{"'),
  'a body that is too large': request(
    'POST /v1/payments/card',
    `${JSON_TYPE}Content-Length: 100000\r\n`,
    'a'.repeat(70_000),
  ),
  'a body of which a part is missing': request(
    'POST /v1/payments/card',
    `${JSON_TYPE}Content-Length: 900\r\n`,
    session,
  ),
  'a body in chunks': request('POST /v1/payments/card', CHUNKED, '5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n'),
  'chunks without an end': request('POST /v1/payments/card', CHUNKED, '5\r\n{"a":\r\n'),
  'a chunk size that is none': request('POST /v1/payments/card', CHUNKED, 'zz\r\n'),
  'a notification': request('POST /v1/gateway/notifications', sized('{}'), '{}'),
  'an upload': request(
    `${KEY}Content-Type: text/csv\r\nContent-Length: 1000000\r\n`,
    'reference,amount\r\n'.repeat(1_000),
  ),
  'a length and chunks': request('POST /v1/payments/card', `${CHUNKED}Content-Length: 3\r\n`, '0\r\n\r\n'),
  'a continuation': request('POST /v1/payments/card', `${sized(session)}Expect: 100-continue\r\n`, session),
  'an expectation': request('GET /health/live', 'Expect: wonders\r\n'),
  'an upgrade to h2c': request('GET /', `${upgrade('h2c')}HTTP2-Settings: AAMAAABkAAQAAP__\r\n`),
  'an upgrade to a web socket': request(
    'GET /',
    `${upgrade('websocket')}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n`,
    'frame',
  ),
  'an upgrade with a body': request('POST /v1/payments/card', `${upgrade('x')}${sized(session)}`, session),
  'a proxy’s request': 'CONNECT x:1 HTTP/1.1\r\n\r\n',
  'a proxy’s request with bytes behind it': `${request('CONNECT x:443')}\x16\x03\x01\x00`,
  'a proxy’s request with a body': request('CONNECT x:443', 'Content-Length: 20\r\n', 'abc'),
  'a proxy’s request behind another': `${request('GET /v1/payments', KEY)}${request('CONNECT x:1')}`,
  'a request for elsewhere': request('GET http://elsewhere.example/'),
  'the beginning of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/1.0': 'GET /health/live HTTP/1.0\r\n\r\n',
  'HTTP/0.9': 'GET /\r\n',
  'a wrong method': request('SMUGGLE /'),
  'a wrong header': request('GET /', 'a b: c\r\n'),
  'a header that is too large': request('GET /', `x: ${'a'.repeat(20_000)}\r\n`),
  'an address that is too long': request(`GET /${'a'.repeat(20_000)}`),
  'many headers': request('GET /', 'a: b\r\n'.repeat(3_000)),
  'no host': 'GET /health/live HTTP/1.1\r\n\r\n',
  'many requests': request('GET /health/live').repeat(200),
  'many large answers': request('GET /docs/swagger-ui-bundle.js').repeat(50),
  'requests and nonsense': `${request('GET /v1/payments', KEY)}nonsense\r\n\r\n`,
  'a TLS hello': Buffer.from(`16030100c8010000c40303${'ab'.repeat(180)}`, 'hex'),
  'an SSH hello': 'SSH-2.0-OpenSSH_9.6\r\n',
  'bytes of all kinds': Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 167 + 13) % 256)),
  'line breaks': '\r\n'.repeat(5_000),
  nothing: '',
};

/** How much is sent before the reset, and what is waited for after it. */
const MOMENTS: readonly [
  sent: number,
  then: 'at once' | 'a turn' | 'the answer' | 'the end' | 'half closed',
][] = [
  [0, 'at once'],
  [0.01, 'at once'],
  [0.25, 'at once'],
  [0.5, 'a turn'],
  [0.75, 'at once'],
  [0.99, 'a turn'],
  [1, 'at once'],
  [1, 'a turn'],
  [1, 'the answer'],
  [1, 'half closed'],
  [1, 'the end'],
];

/** Does one of them. Resolves when the connection is closed. */
function breakOff(port: number, bytes: Buffer, [sent, then]: (typeof MOMENTS)[number]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const reset = (): void => void socket.resetAndDestroy();
    // Nobody waits for an answer that does not come.
    const patience = setTimeout(reset, 300);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(patience);
      resolve();
    });
    socket.on('connect', () => {
      socket.write(bytes.subarray(0, Math.ceil(sent * bytes.length)), () => {
        if (then === 'at once') reset();
        else if (then === 'a turn') setImmediate(reset);
        else if (then === 'the answer') socket.once('data', reset);
        else if (then === 'half closed') socket.end(() => setImmediate(reset));
        else socket.resume();
      });
    });
  });
}

const shapes = Object.entries(SHAPES).map(([name, bytes]): [string, Buffer] => [name, Buffer.from(bytes)]);

test.each(['PORT', 'MERCHANT_PORT', 'MANAGEMENT_PORT'] as const)(
  'whatever breaks off at %s and whenever, the process lives and serves on',
  async (name) => {
    const port = ports[name];
    for (const moment of MOMENTS) {
      await Promise.all(shapes.map(([, bytes]) => breakOff(port, bytes, moment)));
    }
    // A reset that comes while the answer is being written depends on the moment.
    const connects = shapes.filter(([shape]) => shape.startsWith('a proxy'));
    for (let times = 0; times < 25; times++) {
      await Promise.all(
        connects.flatMap(([, bytes]) => MOMENTS.slice(6, 10).map((moment) => breakOff(port, bytes, moment))),
      );
    }
    const { status } = await fetch(`http://127.0.0.1:${ports.MANAGEMENT_PORT}/health/ready`);
    expect(status).toBe(200);
    const payments = await fetch(`http://127.0.0.1:${ports.MERCHANT_PORT}/v1/payments`, {
      headers: { authorization: `Bearer ${testKeys.merchant}` },
    });
    expect(payments.status).toBe(200);
    expect(scene.tillfront.logs()).not.toMatch(/"level":"(?:error|fatal)"|^\s+at /m);
  },
  120_000,
);

test('nothing of them is left', async () => {
  const handles = (): number => readdirSync(`/proc/${scene.tillfront.pid}/fd`).length;
  await until(() => handles() < 60);
});

test('every HTTP server of the service is made in one place', () => {
  const makers = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      path.endsWith('.ts') &&
      !path.endsWith('.spec.ts') &&
      /\bcreateServer\(|\bnew (?:http\.)?Server\(/.test(readFileSync(join('src', path), 'utf8')),
  );
  expect(makers).toEqual(['http/server/guarded-server.ts']);
});
