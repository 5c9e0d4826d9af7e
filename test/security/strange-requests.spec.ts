import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sendRaw } from '../harness/raw-http.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';

interface Description {
  paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>;
}

describe.each(anyStore)('on %s', (store) => {
  let scene: Scene;
  let description: Description;

  beforeAll(async () => {
    scene = await startScene(store);
    description = (await scene.client.get<Description>('/openapi.json')).body;
  });
  afterAll(() => scene?.stop());

  const operations = () =>
    Object.entries(description.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    );

  const ask = async (method: string, path: string, token: string) => {
    const post = method === 'POST';
    const response = await fetch(scene.tillfront.url + path, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${token}`,
        ...(post && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(post && { body: '{}' }),
    });
    return { status: response.status, text: await response.text() };
  };

  test.each(['%00', 'pay_%00', '%0a', '%1f', '%7f', '%c2%85', '%0d%0aset-cookie:%20a=b'])(
    'an id with %s is not found by any call',
    async (id) => {
      const named = operations().filter(({ path }) => path.includes('{') && !path.includes('notifications'));
      expect(named.length).toBeGreaterThan(10);
      const session = await scene.client.createSession();
      for (const { path, method } of named) {
        for (const token of [scene.tillfront.merchantKey, session.clientToken]) {
          const { status, text } = await ask(method, path.replaceAll(/\{\w+\}/g, id), token);
          expect([method, path, status, (JSON.parse(text) as { code: string }).code]).toEqual([
            ...[method, path, 404, 'not-found'],
          ]);
        }
      }
    },
  );

  test.each([
    ['POST', '/v1/checkout-sessions'],
    ['POST', '/v1/payments/search'],
    ['GET', '/v1/payments/pay_x/refunds'],
    ['GET', '/v1/card-encryption-key'],
  ])('%s %s takes no query', async (method, path) => {
    const { status, text } = await ask(method, `${path}?x=1`, scene.tillfront.merchantKey);
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([400, 'validation-failed']);
  });

  test('a query value with a control character is no value of any call', async () => {
    const asking = operations().flatMap(({ path, method, operation }) =>
      (operation.parameters ?? [])
        .filter((p) => p.in === 'query')
        .map(({ name }) => ({ path, method, name })),
    );
    expect(asking.length).toBeGreaterThan(5);
    for (const { path, method, name } of asking) {
      for (const value of ['%00', 'a%00', '%0a', '%ff', '%ed%a0%80']) {
        const target = `${path.replaceAll(/\{\w+\}/g, 'pay_x')}?${name}=${value}`;
        const { status, text } = await ask(method, target, scene.tillfront.merchantKey);
        expect([target, status, (JSON.parse(text) as { code: string }).code]).toEqual([
          ...[target, 400, 'validation-failed'],
        ]);
      }
    }
  });
});

describe('a header that stands twice', () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene('embedded');
  });
  afterAll(() => scene?.stop());

  const key = () => `authorization: Bearer ${scene.tillfront.merchantKey}\r\n`;
  const send = (lines: string, target = 'GET /v1/payments') =>
    sendRaw(scene.tillfront.port, [`${target} HTTP/1.1\r\n${lines}connection: close\r\n\r\n`]);

  test('is served where that means nothing', async () => {
    const twice =
      'accept: a/b\r\naccept: c/d\r\nx-forwarded-for: 192.0.2.1\r\nx-forwarded-for: 192.0.2.2\r\n';
    expect((await send(`host: x\r\n${key()}${twice}`)).status).toBe(200);
  });

  test('two media types of a notification lose none', async () => {
    const types = 'content-type: application/json\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n';
    const bytes = `POST /v1/gateway/notifications HTTP/1.1\r\nhost: x\r\n${types}connection: close\r\n\r\n{}`;
    expect((await sendRaw(scene.tillfront.port, [bytes])).status).toBe(200);
  });

  test('two idempotency keys keep their own refusal', async () => {
    const body = 'content-type: application/json\r\ncontent-length: 2\r\n';
    const keys = 'idempotency-key: a\r\nidempotency-key: b\r\n';
    const bytes = `POST /v1/payments/pay_x/void HTTP/1.1\r\nhost: x\r\n${key()}${body}${keys}connection: close\r\n\r\n{}`;
    const answered = await sendRaw(scene.tillfront.port, [bytes]);
    expect(JSON.parse(answered.text)).toMatchObject({ status: 400, code: 'idempotency-key-missing' });
  });
});
