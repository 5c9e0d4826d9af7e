import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  expectStatus,
  newReference,
  problemOf,
  type PaymentBody,
  type SessionBody,
} from '../harness/client.js';
import { answer, approved } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';

const CAROL = { token: 'key-of-carol-5e0b91d7c3a8f462' };

let scene: Scene;
let session: SessionBody;
let payment: PaymentBody;

beforeAll(async () => {
  scene = await startScene('embedded', { MERCHANT_BOOKS_API_KEY: `carol=${CAROL.token}` });
  scene.gateway.script('POST /payment/card', answer(approved));
  session = await scene.client.createSession();
  payment = expectStatus(await scene.client.payCard(session), 201).body;
});
afterAll(() => scene?.stop());

test('a bookkeeping key reads payments', async () => {
  const { id } = payment;
  for (const path of ['', `/${id}`, `/${id}/events`, `/${id}/refunds`])
    expect([path, (await scene.client.get(`/v1/payments${path}`, CAROL)).status]).toEqual([path, 200]);
});

test('it reads nothing else and changes nothing, and the audit has that it was tried', async () => {
  for (const path of [
    '/v1/checkout-sessions',
    `/v1/checkout-sessions/${session.id}`,
    '/v1/events',
    '/v1/approvals',
    '/v1/audit',
  ]) {
    const refused = await scene.client.get(path, CAROL);
    expect([path, refused.status, problemOf(refused).code]).toEqual([path, 403, 'forbidden']);
  }
  for (const path of [
    ...['/v1/checkout-sessions', '/v1/payments/card', '/v1/payments/search'],
    ...['close', 'redact'].map((doing) => `/v1/checkout-sessions/${session.id}/${doing}`),
    ...['cancel', 'complete', 'void', 'refunds', 'resolve', 'refresh'].map(
      (doing) => `/v1/payments/${payment.id}/${doing}`,
    ),
  ]) {
    const refused = await scene.client.post(path, { reference: newReference() }, CAROL);
    expect([path, refused.status, problemOf(refused).code]).toEqual([path, 403, 'forbidden']);
  }
  const { body } = await scene.client.get<{ data: { actor: string; action: string; outcome: string }[] }>(
    '/v1/audit?limit=100',
  );
  const tried = body.data.filter(
    ({ actor, outcome }) => actor === 'merchant:carol' && outcome === 'forbidden',
  );
  const actions = tried.map(({ action }) => action);
  expect(actions).toEqual(
    expect.arrayContaining(['close', 'redact', 'complete', 'void', 'refund', 'resolve']),
  );
});

test('it signs in to the console, which is told what it may do', async () => {
  const { body } = await scene.client.post<{ access: string }>('/v1/console/sign-ins', {}, CAROL);
  expect(body.access).toBe('books');
});
