import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startProbe, type Probe } from './probe-app.js';
import { exchange, expectProblem, raw, send } from './wire.js';

let probe: Probe;
let port: number;
/** For the tests of what takes too long. */
let impatient: Probe;

beforeAll(async () => {
  probe = await startProbe();
  port = probe.port;
  impatient = await startProbe({}, { impatient: true });
});

afterAll(async () => {
  await probe.app.close();
  await impatient.app.close();
});

describe('before the framework', () => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['another protocol version', 'GET / HTTP/3.7\r\nHost: h\r\n\r\n'],
    ['TLS on the plain port', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01])],
    [
      'two lengths',
      'POST /v1/things/1 HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'a length and pieces',
      'POST /v1/things/1 HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : h\r\n\r\n'],
    ['a bare line feed in a header', 'GET / HTTP/1.1\nHost: h\n\n'],
    ['an unknown transfer coding', 'POST /v1/things/1 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: cow\r\n\r\n'],
    ['no host', 'GET /v1/things/1 HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('%s is malformed', async (_name, bytes) => {
    expectProblem(await raw(port, bytes), 'malformed-request', 400);
  });

  test('HTTP/1.0 needs no host', async () => {
    expect((await raw(port, 'GET /v1/things/1 HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  test('a header over 16 KiB is too large', async () => {
    expect((await send(port, 'GET', '/v1/things/1', { 'x-a': 'a'.repeat(15_000) })).status).toBe(200);
    expectProblem(
      await send(port, 'GET', '/v1/things/1', { 'x-a': 'a'.repeat(17_000) }),
      'header-too-large',
      431,
    );
    expectProblem(
      await send(port, 'GET', '/v1/things/1', { 'x-a': 'a'.repeat(200_000) }),
      'header-too-large',
      431,
    );
  });

  test('an address over 16 KiB is too long', async () => {
    expect((await send(port, 'GET', `/v1/things/1?${'a'.repeat(15_000)}`)).status).toBe(200);
    for (const length of [17_000, 40_000])
      expectProblem(await send(port, 'GET', `/v1/things/${'a'.repeat(length)}`), 'header-too-large', 431);
  });

  test('30 KB of cookies are no trouble on the way back from the bank and on pages', async () => {
    const cookies = { cookie: 'a=b; '.repeat(6_000) };
    expect((await send(port, 'GET', '/console', cookies)).status).toBe(200);
    expect((await send(port, 'POST', '/v1/payments/pay_1/return/token', cookies)).status).toBe(201);
    expectProblem(await send(port, 'GET', '/v1/things/1', cookies), 'header-too-large', 431);
    expectProblem(
      await send(port, 'GET', '/console', { cookie: 'a'.repeat(33_000) }),
      'header-too-large',
      431,
    );
  });

  test('an expectation that nobody knows is ignored', async () => {
    expect((await send(port, 'GET', '/v1/things/1', { expect: 'wonders' })).status).toBe(200);
  });

  test('a header that does not end is a timeout', async () => {
    expectProblem(
      await raw(impatient.port, 'GET /v1/things/1 HTTP/1.1\r\nHost: h\r\n'),
      'request-timeout',
      408,
    );
  });

  test('a header that trickles is a timeout', async () => {
    expectProblem(
      await raw(impatient.port, 'GET /v1/things/1 HTTP/1.1\r\nHost: h\r\n', 'x-a: 1\r\n'),
      'request-timeout',
      408,
    );
  });

  test('a connection that says nothing is closed', async () => {
    const began = performance.now();
    await exchange(impatient.port, '');
    // Long before an idle connection would be, which is kept for 72 s.
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  test('a body that trickles is a timeout', async () => {
    const head = 'POST /v1/things/1 HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n';
    expectProblem(
      await raw(impatient.port, `${head}Content-Length: 9000\r\n\r\n{`, ' '),
      'request-timeout',
      408,
    );
    expectProblem(
      await raw(impatient.port, `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, '1\r\n \r\n'),
      'request-timeout',
      408,
    );
  });

  test('a slow answer is no slow request', async () => {
    const answer = await send(impatient.port, 'GET', '/v1/slow?wait=1500');
    expect(answer.status).toBe(200);
  });

  test('an answer that is already on its way is not mixed with a refusal', async () => {
    const text = await exchange(
      port,
      'GET /v1/slow?wait=100 HTTP/1.1\r\nHost: h\r\n\r\nGET /v1/things/1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
    );
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });
});
