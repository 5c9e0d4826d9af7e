import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  cardRequest,
  expectStatus,
  problemOf,
  sessionRequest,
  type PaymentBody,
  type SessionBody,
} from '../harness/client.js';
import { answer, approved, otpRequired } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { until } from '../harness/until.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';

describe.each(stores)('idempotency keys on the %s store', (kind) => {
  let store: TestStore;
  let scene: Scene;
  let session: SessionBody;

  beforeAll(async () => {
    store = await createTestStore(kind);
    scene = await startScene(store);
  });
  afterAll(async () => {
    await scene.stop();
    await store.dispose();
  });
  beforeEach(async () => {
    scene.gateway.forget();
    scene.gateway.script('POST /payment/card', answer(approved));
    session = await scene.client.createSession();
  });

  const sentCards = () => scene.gateway.requestsTo('POST /payment/card').length;

  test('a second call with the same key is answered with what the first has made', async () => {
    const idempotencyKey = randomUUID();
    const first = expectStatus(await scene.client.payCard(session, {}, { idempotencyKey }), 201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const second = expectStatus(await scene.client.payCard(session, {}, { idempotencyKey }), 200);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(sentCards()).toBe(1);
  });

  test('the replay shows the payment as it now stands', async () => {
    scene.gateway.script('POST /payment/card', { do: 'reset-after-reading' });
    const idempotencyKey = randomUUID();
    const first = expectStatus(await scene.client.payCard(session, {}, { idempotencyKey }), 202);
    scene.gateway.script(`GET /transaction/${first.body.gatewayReference}`, answer(approved));
    await scene.client.waitForStatus(first.body.id, 'succeeded');
    const replay = expectStatus(await scene.client.payCard(session, {}, { idempotencyKey }), 200);
    expect(replay.body).toMatchObject({ id: first.body.id, status: 'succeeded' });
    expect(sentCards()).toBe(1);
  });

  test('spacing, key order, cvv and PIN are not part of "the same body"; the card is', async () => {
    const idempotencyKey = randomUUID();
    const first = expectStatus(await scene.client.payCard(session, {}, { idempotencyKey }), 201);
    const { device, card: sameCard } = cardRequest({ card: { cvv: '999', pin: undefined } });
    const reordered = JSON.stringify({ device, card: sameCard }, null, 4);
    const path = '/v1/payments/card';
    const token = session.clientToken;
    const replay = await scene.client.call<PaymentBody>('POST', path, reordered, { token, idempotencyKey });
    expect(expectStatus(replay, 200).body.id).toBe(first.body.id);
    const other = await scene.client.payCard(
      session,
      { card: { number: '4111111111111111' } },
      { idempotencyKey },
    );
    expect(problemOf(expectStatus(other, 422)).code).toBe('idempotency-key-reused');
  });

  test('a session’s members and its metadata may come in any order', async () => {
    const idempotencyKey = randomUUID();
    const token = scene.tillfront.merchantKey;
    const open = (body: object) =>
      scene.client.call<SessionBody>('POST', '/v1/checkout-sessions', body, { token, idempotencyKey });
    const request = sessionRequest({ metadata: { cart: '7', channel: 'web' } });
    const first = expectStatus(await open(request), 201);
    const turned = Object.fromEntries(Object.entries(request).reverse());
    const replay = await open({ ...turned, metadata: { channel: 'web', cart: '7' } });
    expect(expectStatus(replay, 200).body.id).toBe(first.body.id);
    expectStatus(await open({ ...request, metadata: { channel: 'app', cart: '7' } }), 422);
  });

  test('the same key on another path is refused', async () => {
    const idempotencyKey = randomUUID();
    expectStatus(await scene.client.payCard(session, {}, { idempotencyKey }), 201);
    const other = await scene.client.payWallet(session, {}, { idempotencyKey });
    expect(problemOf(expectStatus(other, 422)).code).toBe('idempotency-key-reused');
  });

  test('a key belongs to its caller', async () => {
    const idempotencyKey = randomUUID();
    const other = await scene.client.createSession();
    const mine = expectStatus(await scene.client.payCard(session, {}, { idempotencyKey }), 201);
    const theirs = expectStatus(await scene.client.payCard(other, {}, { idempotencyKey }), 201);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  test('a refused request does not use up its key', async () => {
    const idempotencyKey = randomUUID();
    expectStatus(await scene.client.payCard(session, { card: { number: '1' } }, { idempotencyKey }), 400);
    expectStatus(await scene.client.payCard(session, {}, { idempotencyKey }), 201);
  });

  test('while the first still runs, the second is told so', async () => {
    // It runs until the second has its answer, however long that takes.
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    scene.gateway.script('POST /payment/card', async () => {
      await answered;
      return answer(otpRequired);
    });
    const idempotencyKey = randomUUID();
    const first = scene.client.payCard(session, {}, { idempotencyKey });
    await until(() => sentCards() === 1);
    const second = problemOf(expectStatus(await scene.client.payCard(session, {}, { idempotencyKey }), 409));
    expect(second.code).toBe('idempotency-in-flight');
    resolve();
    expect(expectStatus(await first, 201).body.id).toBe(second.paymentId);
    expectStatus(await scene.client.payCard(session, {}, { idempotencyKey }), 200);
    expect(sentCards()).toBe(1);
  });

  test('many at once with one key make one payment', async () => {
    scene.gateway.script('POST /payment/card', { do: 'answer', body: approved, afterMs: 100 });
    const idempotencyKey = randomUUID();
    const all = await Promise.all(
      Array.from({ length: 12 }, () => scene.client.payCard(session, {}, { idempotencyKey })),
    );
    expect(all.filter((one) => one.status === 201)).toHaveLength(1);
    for (const one of all) expectStatus(one, 200, 201, 409);
    expect(sentCards()).toBe(1);
    expect(await scene.client.paymentsOf(session.reference)).toHaveLength(1);
  });

  test('a session is made once, and its token is shown to a replay of the same key', async () => {
    const idempotencyKey = randomUUID();
    const body = sessionRequest();
    const create = () => scene.client.post<SessionBody>('/v1/checkout-sessions', body, { idempotencyKey });
    const [first, second] = [await create(), await create()];
    expectStatus(first, 201);
    expect(expectStatus(second, 200).body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const changed = { ...body, amount: '1.00' };
    const other = await scene.client.post('/v1/checkout-sessions', changed, { idempotencyKey });
    expect(problemOf(expectStatus(other, 422)).code).toBe('idempotency-key-reused');
  });

  test('a body that does not fit is refused before a missing key, a missing key before an unknown payment', async () => {
    const codeOf = async (path: string, body: object) => {
      const response = await fetch(`${scene.tillfront.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${session.clientToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      return ((await response.json()) as { code: string }).code;
    };
    expect(await codeOf('/v1/payments/card', cardRequest({ card: { number: '1' } }))).toBe(
      'validation-failed',
    );
    expect(await codeOf('/v1/payments/card', cardRequest())).toBe('idempotency-key-missing');
    expect(await codeOf('/v1/payments/pay_none/otp', { otp: 1 })).toBe('validation-failed');
    expect(await codeOf('/v1/payments/pay_none/otp', { otp: '123456' })).toBe('idempotency-key-missing');
  });

  test('a key knows its resource however the path spells it, and is another one for another order', async () => {
    const idempotencyKey = randomUUID();
    const close = (id: string) =>
      scene.client.post<SessionBody>(`/v1/checkout-sessions/${id}/close`, {}, { idempotencyKey });
    expectStatus(await close(session.id), 200);
    const again = expectStatus(await close(session.id.replace('c', '%63')), 200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const another = expectStatus(await close((await scene.client.createSession()).id), 200);
    expect(another.headers.get('idempotency-replayed')).toBeNull();
  });

  test('two keys in one request are none', async () => {
    const response = await fetch(`${scene.tillfront.url}/v1/payments/card`, {
      method: 'POST',
      headers: [
        ['authorization', `Bearer ${session.clientToken}`],
        ['content-type', 'application/json'],
        ['idempotency-key', 'one'],
        ['idempotency-key', 'two'],
      ],
      body: JSON.stringify(cardRequest()),
    });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      400,
      'idempotency-key-missing',
    ]);
  });
});
