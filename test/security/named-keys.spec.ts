import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectStatus, problemOf, type EventBody, type PaymentBody } from '../harness/client.js';
import { answer, approved, cardAnswer, held, redirectRequired } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
const ANNA = 'key-of-anna-0123456789abcdef';
const BOB = 'a2V5LW9mLWJvYi0wMTIzNDU2Nzg5YQ==';
const PLAIN = testKeys.merchant;
const PADDED = 'plain-key-0123456789abcdefghi=';
const READER = 'key-of-reader-0123456789abcdef';

interface Line {
  actor?: string;
  requestId?: string;
}

const voided = cardAnswer({ status: 'VOIDED' });
const otherAmount = cardAnswer({ status: 'SUCCESS', amount: '1.00', currency: 'NGN' });
const pending = cardAnswer({ status: 'PENDING' });

describe.each(anyStore)('on %s', (store) => {
  let folder: string;
  let scene: Scene;

  const list = (text: string): Promise<void> => writeFile(join(folder, 'merchant'), `${text}\n`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'named-keys-'));
    await list(`${PLAIN},ops-anna=${ANNA},7-bob=${BOB},${PADDED}`);
    scene = await startScene(store, {
      MERCHANT_API_KEY: undefined,
      MERCHANT_API_KEY_FILE: join(folder, 'merchant'),
      MERCHANT_READ_API_KEY: `reader=${READER}`,
    });
  });
  afterAll(async () => {
    await scene?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const lines = (): Line[] =>
    scene.tillfront
      .logs()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);

  /** A card payment of a new order that the gateway has answered so, and will be asked about with that answer. */
  const paidBy = async (body: object): Promise<PaymentBody> => {
    scene.gateway.script('POST /payment/card', answer(body));
    scene.gateway.script('GET /transaction/*', answer(body));
    return (await scene.client.payCard(await scene.client.createSession())).body;
  };
  const act = (name: string, { id }: PaymentBody, body: object = {}, token = ANNA) =>
    scene.client.post<PaymentBody>(`/v1/payments/${id}/${name}`, body, { token });

  const actorsOf = async (payment: PaymentBody): Promise<Record<string, string | undefined>> => {
    const { body } = await scene.client.get<{ data: EventBody[] }>(`/v1/payments/${payment.id}/events`);
    return Object.fromEntries(body.data.map(({ type, to, actor }) => [to ? `${type} ${to}` : type, actor]));
  };

  test.each([
    ['a key without a name', PLAIN, 'merchant'],
    ['a key without a name that ends in base64 padding', PADDED, 'merchant'],
    ['a named key', ANNA, 'merchant:ops-anna'],
    ['a named key that ends in base64 padding', BOB, 'merchant:7-bob'],
  ])('what %s voids is its own on the timeline and in the log', async (_name, token, actor) => {
    const payment = await paidBy(held);
    scene.gateway.script('POST /payment/void', answer(voided));
    const requestId = randomUUID();
    const { body } = expectStatus(
      await scene.client.post<PaymentBody>(
        `/v1/payments/${payment.id}/void`,
        {},
        { token, headers: { 'x-request-id': requestId } },
      ),
      200,
    );
    expect(body.status).toBe('voided');
    expect(await actorsOf(payment)).toMatchObject({
      sent: actor,
    });
    await until(() => lines().some((line) => line.requestId === requestId));
    expect(lines().find((line) => line.requestId === requestId)?.actor).toBe(actor);
  });

  test('completing, canceling and resolving carry the name too', async () => {
    const authorized = await paidBy(held);
    scene.gateway.script('POST /payment/completion', answer(approved));
    expectStatus(await act('complete', authorized), 200);
    expect(await actorsOf(authorized)).toMatchObject({
      sent: 'merchant:ops-anna',
    });
    const waiting = await paidBy(redirectRequired);
    scene.gateway.script('GET /transaction/*', answer(pending));
    expectStatus(await act('cancel', waiting), 200);
    expect(await actorsOf(waiting)).toMatchObject({ 'moved canceled': 'merchant:ops-anna' });
    const differing = await paidBy(redirectRequired);
    scene.gateway.script('GET /transaction/*', answer(otherAmount));
    expect((await act('refresh', differing)).body).toMatchObject({ needsAttention: true });
    expectStatus(await act('resolve', differing, { status: 'failed', note: 'Seen on the statement.' }), 200);
    expect(await actorsOf(differing)).toMatchObject({
      resolved: 'merchant:ops-anna',
      'moved failed': 'merchant:ops-anna',
    });
  });

  test('a name is no secret and no key, and a key is not accepted with its name', async () => {
    for (const token of ['ops-anna', `ops-anna=${ANNA}`, `7-bob=${BOB}`, BOB.slice(0, -1), 'reader']) {
      expect((await scene.client.get('/v1/payments', { token })).status).toBe(401);
    }
  });

  test('a named reading key reads, and cannot change anything', async () => {
    expectStatus(await scene.client.get('/v1/payments', { token: READER }), 200);
    const refused = await scene.client.post('/v1/payments/pay_1/void', {}, { token: READER });
    expect(problemOf(refused).code).toBe('forbidden');
  });

  test('all merchant keys share the idempotency keys', async () => {
    const payment = await paidBy(held);
    scene.gateway.script('POST /payment/void', answer(voided));
    const idempotencyKey = randomUUID();
    const path = `/v1/payments/${payment.id}/void`;
    expectStatus(await scene.client.post(path, {}, { token: ANNA, idempotencyKey }), 200);
    const again = expectStatus(await scene.client.post(path, {}, { token: PLAIN, idempotencyKey }), 200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await actorsOf(payment))['sent']).toBe('merchant:ops-anna');
  });
});
