import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { problemOf } from '../harness/client.js';
import { answer, approved, declined } from '../harness/gateway-answers.js';
import { startMisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { startScene, type Scene } from '../harness/scene.js';
import { stores } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { startTillfront } from '../harness/tillfront.js';
import { freePort } from '../setup/free-port.js';

describe.each(stores)('the running service on the %s store', (store) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(store);
  });
  afterAll(() => scene.stop());

  const get = (path: string) => fetch(scene.tillfront.url + path);

  test.each(['/health/live', '/health/ready'])('%s says that it is well', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('metrics count payments and time the gateway', async () => {
    scene.gateway.script('POST /payment/card', answer(approved), answer(declined));
    await scene.client.payCard(await scene.client.createSession());
    await scene.client.payCard(await scene.client.createSession());
    const text = await (await get('/metrics')).text();
    expect(text).toMatch(/^tillfront_payments_total\{[^}]*method="card"[^}]*status="succeeded"[^}]*\} 1$/m);
    expect(text).toMatch(/^tillfront_payments_total\{[^}]*method="card"[^}]*status="failed"[^}]*\} 1$/m);
    expect(text).toMatch(
      /^tillfront_gateway_request_duration_seconds_count\{[^}]*operation="payCard",outcome="answered"/m,
    );
  });

  test('metrics are those that the contract names, and Node’s own', async () => {
    const text = await (await get('/metrics')).text();
    const own = [...text.matchAll(/^# TYPE (tillfront_\w+)/gm)].map(([, name]) => name);
    expect(own.sort()).toEqual([
      ...['tillfront_attention', 'tillfront_duplicates', 'tillfront_gateway_request_duration_seconds'],
      ...['tillfront_http_request_duration_seconds', 'tillfront_overdue_check_seconds'],
      ...['tillfront_overloaded_total', 'tillfront_payments_total', 'tillfront_ready', 'tillfront_restored'],
      ...['tillfront_undelivered_events', 'tillfront_unknown_payments'],
    ]);
    expect(text).toMatch(/^tillfront_ready 1$/m);
    expect(text).toMatch(/^nodejs_/m);
  });

  test('the API is described', async () => {
    const document = (await (await get('/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, unknown>;
    };
    expect(document.openapi).toMatch(/^3\./);
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/v1/checkout-sessions',
        '/v1/payments/card',
        '/v1/payments/wallet',
        '/v1/payments/{id}',
      ]),
    );
    const page = await get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const files = [...(await page.text()).matchAll(/(?:src|href)="\.(\/docs\/[^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(files.length).toBeGreaterThan(3);
    for (const path of files) expect([path, (await get(path ?? '')).status]).toEqual([path, 200]);
  });

  test('logs are lines of JSON with the request’s id', async () => {
    const response = await get('/v1/nothing');
    const id = response.headers.get('x-request-id') ?? '';
    expect(id).not.toBe('');
    // the log is written beside the work, so a line may come after its answer
    await until(() => scene.tillfront.logs().includes(`${id}"`));
    const lines = scene.tillfront.logs().trim().split('\n');
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    const [own] = lines.filter((line) => line.includes(id)).map((line) => JSON.parse(line) as object);
    expect(own).toMatchObject({ level: 'info', requestId: id, method: 'GET', status: 404 });
  });
});

test('with a management port, health and metrics answer only there', async () => {
  const gateway = await startMisbehavingGateway();
  const management = await freePort();
  const tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: gateway.url,
    env: { MANAGEMENT_PORT: String(management) },
  });
  try {
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      expect((await fetch(`http://127.0.0.1:${management}${path}`)).status).toBe(200);
      expect((await fetch(tillfront.url + path)).status).toBe(404);
    }
    const elsewhere = await fetch(`http://127.0.0.1:${management}/v1/payments`);
    expect(elsewhere.headers.get('content-type')).toBe('application/problem+json');
    expect(await elsewhere.json()).toMatchObject({
      status: 404,
      code: 'not-found',
      requestId: elsewhere.headers.get('x-request-id'),
    });
    const posted = await fetch(`http://127.0.0.1:${management}/metrics`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  } finally {
    await tillfront.stop();
    await gateway.close();
  }
});

test('SIGTERM lets what is in flight finish, refuses new work and ends with 0', async () => {
  const scene = await startScene('embedded');
  let letAnswer = (): void => undefined;
  const mayAnswer = new Promise<void>((resolve) => (letAnswer = resolve));
  scene.gateway.script('POST /payment/card', async () => {
    await mayAnswer;
    return answer(approved);
  });
  const session = await scene.client.createSession();
  const paying = scene.client.payCard(session);
  await until(() => scene.gateway.requestsTo('POST /payment/card').length === 1);
  const stopping = scene.tillfront.stop('SIGTERM');
  await until(async () => {
    const ready = await fetch(`${scene.tillfront.url}/health/ready`).catch(() => undefined);
    return ready?.status === 503;
  });
  const refused = await scene.client.post('/v1/checkout-sessions', {});
  expect(problemOf(refused)).toMatchObject({ status: 503, code: 'shutting-down' });
  letAnswer();
  const paid = await paying;
  expect([paid.status, paid.body.status]).toEqual([201, 'succeeded']);
  expect(await stopping).toEqual({ code: 0, signal: null });
  await scene.gateway.close();
});
