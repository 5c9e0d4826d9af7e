import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startProbe, type Probe } from './probe-app.js';
import { expectProblem, send } from './wire.js';

let probe: Probe;
let port: number;

beforeAll(async () => {
  probe = await startProbe();
  port = probe.port;
});

afterAll(async () => {
  await probe.app.close();
});

/** What error trackers add to each call of a shop's page. */
const TRACED =
  'authorization,content-type,idempotency-key,baggage,sentry-trace,traceparent,x-datadog-trace-id,x-datadog-origin';

describe('browser origins', () => {
  const shop = { origin: 'https://shop.example' };

  test('an allowed one may read the answer', async () => {
    for (const origin of ['https://shop.example', 'https://pay.example']) {
      const answer = await send(port, 'GET', '/v1/things/1', { origin });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'Date, Idempotency-Replayed, Retry-After, X-Request-Id',
        vary: expect.stringContaining('Origin') as unknown,
      });
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  test('an allowed one may read refusals too', async () => {
    expect((await send(port, 'GET', '/nothing', shop)).headers['access-control-allow-origin']).toBe(
      'https://shop.example',
    );
    expect(
      (await send(port, 'POST', '/v1/things/1', { ...shop, 'content-type': 'application/json' }, '{'))
        .headers['access-control-allow-origin'],
    ).toBe('https://shop.example');
    expect((await send(port, 'GET', '/v1/fails/problem', shop)).headers['access-control-allow-origin']).toBe(
      'https://shop.example',
    );
  });

  test.each([
    'https://evil.example',
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example.evil.example',
    'https://SHOP.example',
    'https://shop.example/',
    'https://shop.example, https://pay.example',
    'null',
    '',
  ])('%s is refused without a grant, whatever it asks for', async (origin) => {
    const preflight = { origin, 'access-control-request-method': 'POST' };
    for (const answer of [
      await send(port, 'GET', '/v1/things/1', { origin }),
      await send(port, 'POST', '/v1/things/1', { origin, 'content-type': 'application/json' }, '{}'),
      await send(port, 'OPTIONS', '/v1/things/1', preflight),
      await send(port, 'GET', '/v1/nothing', { origin }),
    ]) {
      expectProblem(answer, 'origin-not-allowed', 403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    // What is not called by scripts is served, without a grant.
    for (const [target, status] of [
      ['/console', 200],
      ['/health/live', 200],
      ['/nothing', 404],
    ] as const) {
      const answer = await send(port, 'GET', target, { origin });
      expect(answer.status).toBe(status);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    const elsewhere = await send(port, 'OPTIONS', '/console', preflight);
    expect(elsewhere.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a preflight of an allowed one is granted, whatever headers it asks for', async () => {
    const answer = await send(port, 'OPTIONS', '/v1/things/1', {
      ...shop,
      'access-control-request-method': 'POST',
      'access-control-request-headers': TRACED,
    });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': TRACED,
      'access-control-max-age': '7200',
      'x-content-type-options': 'nosniff',
    });
  });

  test('the payer’s return and notifications are served from anywhere, without a grant', async () => {
    for (const [target, origin] of [
      ['/v1/payments/pay_1/return/token', 'https://acs.bank.example'],
      ['/v1/payments/pay_1/return/token', 'null'],
      ['/v1/gateway/notifications', 'https://gateway.example'],
    ] as const) {
      const answer = await send(port, 'POST', target, { origin, 'content-type': 'application/json' }, '{}');
      expect(answer.status).toBe(201);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});
