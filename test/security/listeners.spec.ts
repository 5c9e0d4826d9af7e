import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, TillfrontClient, type PaymentBody, type SessionBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { runTillfront, testKeys } from '../harness/tillfront.js';
import { freePort } from '../setup/free-port.js';
import { answer, redirectRequired } from '../harness/gateway-answers.js';

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

  const challenged = async (session: SessionBody): Promise<PaymentBody> => {
    scene.gateway.script('POST /payment/card', answer(redirectRequired));
    scene.gateway.script('GET /transaction/*', answer(redirectRequired));
    return expectStatus(await scene.client.payCard(session), 201).body;
  };

  test('lets a merchant make a session at its listener, and the payer pay it at the other', async () => {
    const session = await merchant.createSession();
    const payment = await challenged(session);
    expectStatus(await scene.client.get(`/v1/payments/${payment.id}`, { token: session.clientToken }), 200);
    expectStatus(await merchant.get(`/v1/payments/${payment.id}`), 200);
    expectStatus(await scene.client.get(`/v1/payments/${payment.id}`), 404);
    expectStatus(await merchant.get(`/v1/payments/${payment.id}`, { token: session.clientToken }), 404);
    expect(session.checkoutUrl).toContain(`127.0.0.1:${scene.tillfront.port}/checkout#`);
  });

  test.each([
    ['/console', 'merchant'],
    ['/docs', 'merchant'],
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
    const wide = { headers: { 'x-wide': 'w'.repeat(17_000) } };
    for (const port of [merchantPort, scene.tillfront.port]) {
      expect((await fetch(`http://127.0.0.1:${port}/health/live`, wide)).status).toBe(431);
    }
  });

  test('takes merchant keys at its own port only, so that nobody can try them at the payers’ one', async () => {
    for (const route of [
      'GET /v1/checkout-session',
      'GET /v1/payments/pay_x',
      'POST /v1/payments/pay_x/cancel',
    ]) {
      for (const bearer of [testKeys.merchant, 'wrong'])
        expect(await tell(scene.tillfront.port, route, bearer)).toEqual({
          status: 404,
          detail: NOTHING_HERE,
        });
    }
    expect((await tell(scene.tillfront.port, 'GET /v1/checkout-session', 'cst_wrong.wrong')).status).toBe(
      401,
    );
    expect((await tell(scene.tillfront.port, 'POST /v1/gateway/notifications', 'wrong')).status).toBe(200);
  });

  test('has every described call at the port of its credential, and nowhere else', async () => {
    const { paths } = (await (await fetch(`http://127.0.0.1:${merchantPort}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
    };
    let tried = 0;
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, { security = [] }] of Object.entries(item)) {
        const [only, other] = security.flatMap((one) => Object.keys(one));
        if (only === undefined || other !== undefined) continue;
        const elsewhere = only === 'merchantKey' ? scene.tillfront.port : merchantPort;
        const route = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'x')}`;
        for (const bearer of [undefined, testKeys.merchant, 'cst_wrong.wrong'])
          expect([route, (await tell(elsewhere, route, bearer)).status]).toEqual([route, 404]);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(15);
  });

  test('finishes at both listeners what is in flight when it is stopped', async () => {
    const session = await merchant.createSession();
    const payment = await challenged(session);
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
