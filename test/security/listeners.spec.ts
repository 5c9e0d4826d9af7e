import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createApp, type Application } from '../../src/app.js';
import { createDependencies } from '../../src/dependencies.js';
import type { HttpEdge } from '../../src/http/server.js';
import { readStartConfiguration } from '../../src/start-configuration.js';
import { expectStatus, TillfrontClient, type SessionBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { createTestStore, type TestStore } from '../harness/test-store.js';
import { runTillfront, testKeys } from '../harness/tillfront.js';
import { freePort } from '../setup/free-port.js';
import { answer, payCard, redirectRequired } from '../truth/situations.js';

/** Every route of the service and the listener where it answers. A new route belongs here. */
const ROUTES = {
  payers: [
    'GET /v1/checkout-session',
    'POST /v1/payments/card',
    'POST /v1/payments/wallet',
    'POST /v1/payments/transfer',
    'POST /v1/payments/ussd',
    'GET /v1/ussd/banks',
    'POST /v1/payments/:id/otp',
    'POST /v1/payments/:id/pin',
    'GET /v1/payments/:id/return/:token',
    'POST /v1/payments/:id/return/:token',
    'GET /v1/card-encryption-key',
    'GET /v1/gateway/notifications',
    'GET /v1/gateway/notifications/:secret',
    'POST /v1/gateway/notifications',
    'POST /v1/gateway/notifications/:secret',
    'GET /kit/merchant.json',
    'GET /kit/merchant/:file',
    'GET /kit/:file',
    'GET /kit/:folder/:file',
    'GET /checkout',
    'GET /checkout/frame',
    'GET /checkout/:file',
  ],
  merchant: [
    'POST /v1/checkout-sessions',
    'GET /v1/checkout-sessions',
    'GET /v1/checkout-sessions/:id',
    'POST /v1/checkout-sessions/:id/close',
    'POST /v1/checkout-sessions/:id/redact',
    'GET /v1/payments',
    'GET /v1/payments/:id/events',
    'POST /v1/payments/:id/complete',
    'POST /v1/payments/:id/void',
    'POST /v1/payments/:id/refunds',
    'GET /v1/payments/:id/refunds',
    'POST /v1/payments/:id/resolve',
    'POST /v1/payments/:id/refresh',
    'GET /v1/events',
    'POST /v1/events/:id/redeliver',
    'GET /v1/approvals',
    'POST /v1/approvals/:id/approve',
    'POST /v1/approvals/:id/decline',
    'GET /v1/audit',
    'POST /v1/payments/search',
    'POST /v1/console/sign-ins',
    'GET /console',
    'GET /console/:file',
    'GET /docs',
    'GET /docs/accessible.css',
    'GET /docs/start.js',
    'GET /',
    'GET /docs/swagger-ui.css',
    'GET /docs/swagger-ui-bundle.js',
    'GET /openapi.json',
  ],
  both: [
    'GET /v1/payments/:id',
    'POST /v1/payments/:id/cancel',
    'GET /health/live',
    'GET /health/ready',
    'GET /metrics',
  ],
} as const;

const OTHERS = ['PUT', 'PATCH', 'DELETE'];
const NOTHING_HERE = 'There is nothing at this address.';

interface Told {
  status: number;
  detail?: string;
}

async function tell(port: number, route: string, bearer?: string, headers = {}): Promise<Told> {
  const [method = '', url = ''] = route.split(' ');
  const posts = method === 'POST' && { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const response = await fetch(`http://127.0.0.1:${port}${url.replaceAll(/:\w+/g, 'x')}`, {
    method,
    redirect: 'manual',
    headers: { ...posts, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }), ...headers },
    ...(method === 'POST' && { body: '{}' }),
  });
  const text = await response.text();
  const problem = response.headers.get('content-type') === 'application/problem+json';
  return {
    status: response.status,
    ...(problem && text !== '' && { detail: (JSON.parse(text) as { detail: string }).detail }),
  };
}

describe('the routes of the application', () => {
  let place: TestStore;
  let application: Application;
  let port: number;
  let merchantPort: number;
  let openings: Map<string, string>;

  beforeAll(async () => {
    place = await createTestStore('embedded');
    [port, merchantPort] = await Promise.all([freePort(), freePort()]);
    const dependencies = await createDependencies(
      readStartConfiguration({
        PORT: String(port),
        MERCHANT_PORT: String(merchantPort),
        HOST: '127.0.0.1',
        GATEWAY_BASE_URL: 'http://127.0.0.1:9',
        GATEWAY_API_KEY: 'never-sent',
        GATEWAY_ACCESS_TOKEN: 'never-sent',
        MERCHANT_API_KEY: testKeys.merchant,
        SECRET_KEY: testKeys.secretKey,
        DATA_DIR: place.dataDir,
        LOG_LEVEL: 'silent',
      }),
    );
    await dependencies.store.prepare();
    application = await createApp(dependencies);
    await application.listen();
    const { listeners } = application.nest.getHttpAdapter() as unknown as HttpEdge;
    openings = new Map([...listeners.openings].filter(([route]) => !route.startsWith('HEAD ')));
  });
  afterAll(async () => {
    await application?.stop();
    await place?.dispose();
  });

  test('are those of the list, each at its listener', () => {
    const listed = Object.entries(ROUTES).flatMap(([listener, routes]) =>
      routes.map((route) => [route, listener]),
    );
    expect(Object.fromEntries([...openings].sort())).toEqual(Object.fromEntries(listed.sort()));
  });

  const wrongDoors = (): [route: string, port: number][] => [
    ...ROUTES.merchant.map((route): [string, number] => [route, port]),
    ...ROUTES.payers.map((route): [string, number] => [route, merchantPort]),
  ];

  test('are not there at the wrong listener, whoever asks and by whatever method', async () => {
    for (const [route, at] of wrongDoors()) {
      const url = route.split(' ')[1] ?? '';
      for (const bearer of [undefined, testKeys.merchant, 'wrong', 'cst_wrong.wrong']) {
        expect([route, bearer, await tell(at, route, bearer)]).toEqual([
          route,
          bearer,
          { status: 404, detail: NOTHING_HERE },
        ]);
      }
      for (const method of OTHERS) {
        // a path that both listeners know by another route keeps its 405
        const { status } = await tell(at, `${method} ${url}`);
        expect([404, 405]).toContain(status);
      }
      // of a GET the server answers HEAD too
      if (route.startsWith('GET ')) expect((await tell(at, `HEAD ${url}`)).status).toBe(404);
    }
  });

  test('are there at the right one', async () => {
    for (const route of ROUTES.merchant.filter((known) => !known.startsWith('GET /console'))) {
      expect((await tell(merchantPort, route, testKeys.merchant)).detail).not.toBe(NOTHING_HERE);
    }
    for (const route of [...ROUTES.payers, ...ROUTES.both]) {
      if (/^GET \/(?:kit|checkout)/.test(route)) continue;
      expect((await tell(port, route)).detail).not.toBe(NOTHING_HERE);
    }
  });

  test('refuse at the payers’ listener whatever bearer is no payer’s token, right or wrong', async () => {
    const asked: readonly string[] = [...ROUTES.payers, ...ROUTES.both].filter(
      (route) => !/notifications|health|metrics/.test(route),
    );
    for (const route of asked) {
      for (const bearer of [testKeys.merchant, 'wrong', 'a b']) {
        expect([route, await tell(port, route, bearer)]).toEqual([
          route,
          { status: 404, detail: NOTHING_HERE },
        ]);
      }
    }
    // a payer's token that has gone bad is told so
    expect((await tell(port, 'GET /v1/checkout-session', 'cst_wrong.wrong')).status).toBe(401);
    expect((await tell(port, 'GET /v1/checkout-session')).status).toBe(401);
  });

  test('of notifications take their own secret as a bearer, and health no notice of any', async () => {
    expect((await tell(port, 'POST /v1/gateway/notifications', 'wrong')).status).toBe(200);
    for (const at of [port, merchantPort]) {
      expect((await tell(at, 'GET /health/live', 'wrong')).status).toBe(200);
    }
  });
});

describe('the built service', () => {
  let scene: Scene;
  let merchantPort: number;
  let merchant: TillfrontClient;

  beforeAll(async () => {
    merchantPort = await freePort();
    scene = await startScene('embedded', { MERCHANT_PORT: String(merchantPort) });
    merchant = new TillfrontClient(`http://127.0.0.1:${merchantPort}`, testKeys.merchant);
  });
  afterAll(async () => {
    await scene?.stop();
  });

  test('lets a merchant make a session at its listener, and the payer pay it at the other', async () => {
    const session = await merchant.createSession();
    const { payment } = await payCard(scene, answer(redirectRequired), session);
    expectStatus(await scene.client.get(`/v1/payments/${payment.id}`, { token: session.clientToken }), 200);
    expectStatus(await merchant.get(`/v1/payments/${payment.id}`), 200);
    expectStatus(await scene.client.get(`/v1/payments/${payment.id}`), 404);
    expectStatus(await merchant.get(`/v1/payments/${payment.id}`, { token: session.clientToken }), 404);
    expect(session.checkoutUrl).toContain(`127.0.0.1:${scene.tillfront.port}/checkout#`);
  });

  test.each([
    ['/console', 'merchant'],
    ['/docs', 'merchant'],
    ['/', 'merchant'],
    ['/openapi.json', 'merchant'],
    ['/checkout', 'payers'],
    ['/kit/tillfront.js', 'payers'],
    ['/v1/card-encryption-key', 'payers'],
  ])('shows %s at the listener of the %s alone', async (path, listener) => {
    const [own, other] =
      listener === 'merchant' ? [merchantPort, scene.tillfront.port] : [scene.tillfront.port, merchantPort];
    expect((await tell(own, `GET ${path}`)).status).toBe(200);
    expect(await tell(other, `GET ${path}`)).toEqual({ status: 404, detail: NOTHING_HERE });
  });

  test('allows the console’s own origin at the merchant’s listener alone', async () => {
    const own = `http://127.0.0.1:${merchantPort}`;
    const asked = (client: TillfrontClient, origin: string) =>
      client.get<SessionBody>('/v1/payments', { headers: { origin } });
    const allowed = await asked(merchant, own);
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, own]);
    for (const foreign of ['http://127.0.0.1:1', 'https://evil.example', 'null', `${own}.evil.example`]) {
      const refused = await asked(merchant, foreign);
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    }
    expect((await asked(scene.client, own)).status).toBe(403);
  });

  test('gives both listeners the same headers, ids and limits', async () => {
    const shown = async (port: number, path: string): Promise<object> => {
      const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`);
      const told = [...headers].filter(
        ([name]) => !['date', 'x-request-id', 'content-length'].includes(name),
      );
      expect(headers.get('x-request-id')).toMatch(/./);
      return { status, told };
    };
    expect(await shown(merchantPort, '/nothing')).toEqual(await shown(scene.tillfront.port, '/nothing'));
    const long = `/${'a'.repeat(9_000)}`;
    expect(await shown(merchantPort, long)).toEqual(await shown(scene.tillfront.port, long));
    const wide = { headers: { 'x-wide': 'w'.repeat(17_000) } };
    for (const port of [merchantPort, scene.tillfront.port]) {
      expect((await fetch(`http://127.0.0.1:${port}/health/live`, wide)).status).toBe(431);
    }
  });

  test('finishes at both listeners what is in flight when it is stopped', async () => {
    const session = await merchant.createSession();
    const { payment } = await payCard(scene, answer(redirectRequired), session);
    const waiting = merchant.get(`/v1/payments/${payment.id}?wait=30`);
    const alsoWaiting = scene.client.get(`/v1/payments/${payment.id}?wait=30`, {
      token: session.clientToken,
    });
    // Both wait by the time that what was asked after them is answered.
    for (let times = 0; times < 3; times++)
      for (const client of [merchant, scene.client]) await client.get('/health/live');
    const [own, payers, exit] = await Promise.all([waiting, alsoWaiting, scene.tillfront.stop()]);
    expect([own.status, payers.status, exit.code]).toEqual([200, 200, 0]);
    await expect(merchant.get('/health/live')).rejects.toThrow();
  });
});

test('a port that is taken twice stops the start', async () => {
  const { code, output } = await runTillfront({
    MERCHANT_PORT: '3000',
    GATEWAY_BASE_URL: 'http://127.0.0.1:9',
    GATEWAY_API_KEY: 'a',
    GATEWAY_ACCESS_TOKEN: 'b',
  });
  expect([code, output]).toEqual([1, expect.stringContaining('MERCHANT_PORT must differ from PORT')]);
});
