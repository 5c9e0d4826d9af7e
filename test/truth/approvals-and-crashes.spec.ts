import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import type { Scene } from '../harness/scene.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import {
  ANNA,
  approvalsOf,
  approve,
  BEN,
  decide,
  FOUR_EYES,
  waiting,
  type ApprovalBody,
  type Approved,
} from './approvals.js';
import { expectGivenBack, giveBack, paid, REFUND, refundsSent, says, withRefunds } from './refunds.js';
import { say, will } from './situations.js';

const sceneOf = (gateway: MisbehavingGateway, tillfront: Tillfront): Scene => ({
  gateway,
  tillfront,
  client: new TillfrontClient(tillfront.url, tillfront.merchantKey),
  stop: async () => void (await tillfront.stop()),
});
const env = () => ({ GATEWAY_PROFILE: withRefunds(), GATEWAY_TIMEOUT_MS: '20000', ...FOUR_EYES });

describe.each(stores)('an approval and a process that dies, on the %s store', (kind) => {
  let gateway: MisbehavingGateway;
  let store: TestStore;
  let running: Tillfront | undefined;

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    store = await createTestStore(kind);
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  afterAll(async () => {
    await gateway.close();
    await store.dispose();
  });

  const start = async (): Promise<Scene> => {
    running = await startTillfront({ store, gatewayUrl: gateway.url, env: env() });
    return sceneOf(gateway, running);
  };

  test('what was asked for still waits after a restart, and is approved there', async () => {
    const before = await start();
    const { payment } = await paid(before);
    const key = { token: ANNA, idempotencyKey: randomUUID() };
    const approval = waiting(await giveBack(before, payment, {}, key));
    await before.tillfront.kill();
    const after = await start();
    const again = expectStatus(await giveBack(after, payment, {}, key), 200);
    expect(again.body).toEqual({ approval, result: null });
    will(after, REFUND, payment, says('REFUNDED'));
    expectStatus(await approve(after, approval), 200);
    await expectGivenBack(after, payment, '1500.00', ['succeeded']);
    expect(refundsSent(after, payment)).toHaveLength(1);
  });

  test('one that died while the approved refund was sent has sent it once, and nobody can send it again', async () => {
    const before = await start();
    const { payment } = await paid(before);
    const asked = { token: ANNA, idempotencyKey: randomUUID() };
    const approval = waiting(await giveBack(before, payment, { amount: '1200.00' }, asked));
    say(before, payment, says('SUCCESS'));
    will(before, REFUND, payment, { do: 'silent' });
    const key = { token: BEN, idempotencyKey: randomUUID() };
    const died = approve(before, approval, key).catch(() => undefined);
    await until(() => refundsSent(before, payment).length === 1);
    await before.tillfront.kill();
    await died;
    const after = await start();
    await until(async () => (await after.client.getPayment(payment.id)).pendingOperation !== null);
    // Decided before the refund was begun: it is approved, by whom, and stays so.
    expect(await approvalsOf(after, `?paymentId=${payment.id}`)).toMatchObject([
      { id: approval.id, state: 'approved', decidedBy: 'merchant:ben' },
    ]);
    const heard = expectStatus(await giveBack(after, payment, { amount: '1200.00' }, asked), 200);
    expect(heard.body as unknown as Approved).toMatchObject({ result: { status: 'processing' } });
    expectStatus(await approve(after, approval, key), 200);
    expect((await approve(after, approval)).status).toBe(409);
    say(after, payment, says('SUCCESS', { refundedAmount: '1200.00' }));
    await until(async () => (await after.client.getPayment(payment.id)).amountRefunded === '1200.00');
    await expectGivenBack(after, payment, '1200.00', ['succeeded']);
    expect(refundsSent(after, payment)).toHaveLength(1);
  });
});

describe('at two replicas', () => {
  let gateway: MisbehavingGateway;
  let store: TestStore;
  let replicas: Tillfront[] = [];

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    store = await createTestStore('postgres');
    replicas = [
      await startTillfront({ store, gatewayUrl: gateway.url, env: env() }),
      await startTillfront({ store, gatewayUrl: gateway.url, env: env() }),
    ];
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await gateway.close();
    await store.dispose();
  });

  test('each is decided once, and what is approved is sent once', async () => {
    const [one, other] = replicas.map((replica) => sceneOf(gateway, replica)) as [Scene, Scene];
    let approved = 0;
    for (let round = 0; round < 12; round += 1) {
      const { payment } = await paid(one);
      will(one, REFUND, payment, says('REFUNDED'));
      const approval: ApprovalBody = waiting(await giveBack(one, payment));
      const answers = await Promise.all([
        approve(one, approval, { token: ANNA }),
        approve(other, approval, { token: BEN }),
        approve(other, approval, { token: ANNA }),
        ...(round % 2 === 0 ? [decide(one, 'decline', approval, { token: BEN })] : []),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: answers.length - 1 }, () => 409)]);
      const [{ state }] = (await approvalsOf(other, `?paymentId=${payment.id}`)) as [ApprovalBody];
      expect(refundsSent(one, payment)).toHaveLength(state === 'approved' ? 1 : 0);
      if (state === 'approved') approved += 1;
    }
    expect(approved).toBeGreaterThanOrEqual(6);
  });

  test('one call of the asker makes one approval, whichever of them gets it', async () => {
    const [one, other] = replicas.map((replica) => sceneOf(gateway, replica)) as [Scene, Scene];
    const { payment } = await paid(one);
    const key = { token: ANNA, idempotencyKey: randomUUID() };
    const asked = await Promise.all(
      [one, other, one, other].map((scene) => giveBack(scene, payment, {}, key)),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 200, 200, 202]);
    expect(await approvalsOf(one, `?paymentId=${payment.id}`)).toHaveLength(1);
  });
});
