import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectStatus, problemOf, type EventBody, type PaymentBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import {
  act,
  answer,
  approved,
  asked,
  COMPLETION,
  otherAmount,
  paymentThatIs,
  payWallet,
  pending,
  say,
  VOID,
  voided,
  will,
} from '../truth/situations.js';

const ANNA = 'key-of-anna-0123456789abcdef';
const BOB = 'a2V5LW9mLWJvYi0wMTIzNDU2Nzg5YQ==';
const PLAIN = testKeys.merchant;
const PADDED = 'plain-key-0123456789abcdefghi=';
const READER = 'key-of-reader-0123456789abcdef';

interface Line {
  event?: string;
  actor?: string;
  requestId?: string;
}

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
    const { payment } = await paymentThatIs(scene, 'authorized');
    will(scene, VOID, payment, answer(voided));
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
      operation_intended: actor,
      'status_changed voided': actor,
    });
    await until(() => lines().some((line) => line.requestId === requestId));
    expect(lines().find((line) => line.requestId === requestId)?.actor).toBe(actor);
    expect(
      lines()
        .filter((line) => line.event === 'payment.voided')
        .at(-1)?.actor,
    ).toBe(actor);
  });

  test('completing, canceling and resolving carry the name too', async () => {
    const by = { token: ANNA };
    const { payment: authorized } = await paymentThatIs(scene, 'authorized');
    will(scene, COMPLETION, authorized, answer(approved));
    expectStatus(await act(scene, 'complete', authorized, {}, by), 200);
    expect(await actorsOf(authorized)).toMatchObject({
      operation_intended: 'merchant:ops-anna',
      'status_changed succeeded': 'merchant:ops-anna',
    });
    const { payment: waiting } = await paymentThatIs(scene, 'requires_action');
    say(scene, waiting, answer(pending));
    expectStatus(await act(scene, 'cancel', waiting, {}, by), 200);
    expect(await actorsOf(waiting)).toMatchObject({ 'status_changed canceled': 'merchant:ops-anna' });
    const { payment: disputed } = await payWallet(scene);
    say(scene, disputed, otherAmount);
    expect(await asked(scene, disputed)).toMatchObject({ needsAttention: true });
    const word = { status: 'failed', note: 'Seen on the bank statement.' };
    expectStatus(await act(scene, 'resolve', disputed, word, by), 200);
    expect(await actorsOf(disputed)).toMatchObject({
      resolved: 'merchant:ops-anna',
      'status_changed failed': 'merchant:ops-anna',
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
    const { payment } = await paymentThatIs(scene, 'authorized');
    will(scene, VOID, payment, answer(voided));
    const idempotencyKey = randomUUID();
    const path = `/v1/payments/${payment.id}/void`;
    expectStatus(await scene.client.post(path, {}, { token: ANNA, idempotencyKey }), 200);
    const again = expectStatus(await scene.client.post(path, {}, { token: PLAIN, idempotencyKey }), 200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await actorsOf(payment))['operation_intended']).toBe('merchant:ops-anna');
  });

  test('a changed file counts: the name of a key, and a list with a name twice not at all', async () => {
    await list(`${PLAIN},ops-anna=${BOB}`);
    await until(async () => (await scene.client.get('/v1/payments', { token: ANNA })).status === 401);
    const { payment } = await paymentThatIs(scene, 'authorized');
    will(scene, VOID, payment, answer(voided));
    expectStatus(await scene.client.post(`/v1/payments/${payment.id}/void`, {}, { token: BOB }), 200);
    expect((await actorsOf(payment))['operation_intended']).toBe('merchant:ops-anna');
    await list(`${PLAIN},ops-anna=${ANNA},ops-anna=${BOB}`);
    await until(async () => {
      // a file is looked at when its keys are asked for
      await scene.client.get('/v1/payments', { token: BOB });
      return scene.tillfront.logs().includes('has the same name twice');
    });
    expect((await scene.client.get('/v1/payments', { token: ANNA })).status).toBe(401);
    expect((await scene.client.get('/v1/payments', { token: BOB })).status).toBe(200);
    expect(scene.tillfront.logs()).not.toMatch(/key-of-(?:anna|reader)|a2V5LW9m|plain-key/);
  });
});
