import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { withoutChance } from '../harness/without-chance.js';
import { startProbe, type Probe } from './probe-app.js';
import { expectProblem, expectStandardHeaders, send } from './wire.js';

let probe: Probe;
let port: number;
const logged: string[] = [];

beforeAll(async () => {
  probe = await startProbe();
  port = probe.port;
});

afterAll(async () => {
  await probe.app.close();
});

describe('every answer', () => {
  test('has the standard headers and the request id of the caller', async () => {
    const answer = await send(port, 'GET', '/v1/things/1', { 'x-request-id': 'mine-1' });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-request-id']).toBe('mine-1');
    expectStandardHeaders(answer);
  });

  test('says nothing of HTTPS where the public address is plain HTTP', async () => {
    const plain = await startProbe({ publicBaseUrl: 'http://localhost:3000' });
    const answer = await send(plain.port, 'GET', '/v1/things/1', {});
    await plain.app.close();
    expect(answer.status).toBe(200);
    expect(answer.headers['strict-transport-security']).toBeUndefined();
  });
});

describe('errors of handlers', () => {
  beforeEach(() => {
    logged.length = 0;
    Logger.overrideLogger({
      log: () => undefined,
      warn: () => undefined,
      error: (message: unknown) => logged.push(String(message)),
    });
  });

  afterAll(() => {
    Logger.overrideLogger(false);
  });

  test('a problem is answered with all that it carries', async () => {
    const answer = await send(port, 'GET', '/v1/fails/problem');
    expectProblem(answer, 'gateway-busy', 503);
    expect(answer.headers['retry-after']).toBe('3');
    expect(answer.body).toMatchObject({
      paymentId: 'pay_1',
      title: 'The gateway is busy',
    });
  });

  test('a 401 names the scheme', async () => {
    const answer = await send(port, 'GET', '/v1/fails/unauthorized');
    expectProblem(answer, 'unauthorized', 401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test('a store that is down is a 503', async () => {
    const answer = await send(port, 'GET', '/v1/fails/store');
    expectProblem(answer, 'store-unavailable', 503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.text).not.toContain('10.0.0.1');
  });

  test('a full queue of the store is a 503', async () => {
    const answer = await send(port, 'GET', '/v1/fails/overload');
    expectProblem(answer, 'overloaded', 503);
    expect(answer.headers['retry-after']).toBe('1');
  });

  test('words of the framework are not shown', async () => {
    const answer = await send(port, 'GET', '/v1/fails/nest');
    expectProblem(answer, 'malformed-request', 400);
    expect(withoutChance(answer.text)).not.toContain('4111');
  });

  test('an unexpected one is a 500, logged without secrets and with the request id', async () => {
    const answer = await send(port, 'GET', '/v1/fails/otherwise');
    expectProblem(answer, 'internal-error', 500);
    expect(withoutChance(answer.text)).not.toContain('4111');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(answer.headers['x-request-id']);
    expect(withoutChance(logged[0])).not.toMatch(/4111|abc\.def|987/);
  });

  test('a thrown value that is no error is not logged itself', async () => {
    expectProblem(await send(port, 'GET', '/v1/fails/text'), 'internal-error', 500);
    expect(logged).toHaveLength(1);
    expect(withoutChance(logged[0])).not.toContain('4111');
  });
});

describe('addresses and methods', () => {
  test.each([
    '/nothing',
    '/v1/things',
    '/v1/things//',
    '/v1/things/1/x?card=4111111111111111',
    'http://other.example/nothing',
  ])('%s is not found', async (target) => {
    expectProblem(await send(port, 'GET', target), 'not-found', 404);
  });

  test('a long parameter is looked up, not refused', async () => {
    expect((await send(port, 'GET', `/v1/things/${'a'.repeat(2000)}`)).status).toBe(200);
  });

  test.each([
    ['DELETE', '/v1/things/1', 'GET, HEAD, POST'],
    ['PUT', '/v1/things/1?x=1', 'GET, HEAD, POST'],
    ['POST', '/v1/slow', 'GET, HEAD'],
    ['GET', '/v1/gateway/notifications', 'POST'],
  ])('%s %s is not allowed', async (method, target, allow) => {
    const answer = await send(port, method, target);
    expectProblem(answer, 'method-not-allowed', 405);
    expect(answer.headers['allow']).toBe(allow);
  });

  test('a body does not change that', async () => {
    expectProblem(
      await send(port, 'DELETE', '/v1/things/1', { 'content-type': 'text/plain' }, 'x'),
      'method-not-allowed',
      405,
    );
    expectProblem(await send(port, 'POST', '/nothing', {}, 'x'.repeat(100_000)), 'not-found', 404);
  });

  test('CONNECT ends its connection and nothing else', async () => {
    expect((await send(port, 'CONNECT', 'other.example:443')).text).toBe('');
    expect((await send(port, 'GET', '/v1/things/1')).status).toBe(200);
  });

  test('an upgrade is not taken', async () => {
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' };
    const { status, headers } = await send(port, 'GET', '/v1/things/1', upgrade);
    expect([status, headers.connection]).toEqual([200, 'close']);
  });

  test('an escape that decodes to nothing is malformed', async () => {
    expectProblem(await send(port, 'GET', '/v1/things/%zz'), 'malformed-request', 400);
  });

  test('an address in absolute form is that address', async () => {
    expect((await send(port, 'GET', 'http://pay.example/v1/things/1?x=1')).status).toBe(200);
    expectProblem(await send(port, 'DELETE', 'http://pay.example/v1/things/1'), 'method-not-allowed', 405);
  });

  test('OPTIONS * asks about nothing here', async () => {
    expectProblem(await send(port, 'OPTIONS', '*'), 'not-found', 404);
  });

  test('HEAD has the headers of GET and no body', async () => {
    const head = await send(port, 'HEAD', '/v1/things/1');
    expect(head.status).toBe(200);
    expectStandardHeaders(head);
    expect(head.text.endsWith('\r\n\r\n')).toBe(true);
    expect((await send(port, 'HEAD', '/nothing')).status).toBe(404);
  });

  test('a foreign host is served all the same', async () => {
    expect(
      (await send(port, 'GET', '/v1/things/1', { host: 'evil.example', 'x-forwarded-host': 'evil.example' }))
        .status,
    ).toBe(200);
  });
});
