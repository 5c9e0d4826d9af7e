import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import type { Scene } from '../harness/scene.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import {
  expectGivenBack,
  giveBack,
  paid,
  REFUND,
  refundsOf,
  refundsSent,
  says,
  withRefunds,
} from './refunds.js';
import { say, wait, will } from './situations.js';

const sceneOf = (gateway: MisbehavingGateway, tillfront: Tillfront): Scene => ({
  gateway,
  tillfront,
  client: new TillfrontClient(tillfront.url, tillfront.merchantKey),
  stop: async () => void (await tillfront.stop()),
});

describe.each(stores)('a process that dies while a refund is under way, on the %s store', (kind) => {
  let gateway: MisbehavingGateway;
  let store: TestStore;
  let running: Tillfront | undefined;

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    store = await createTestStore(kind);
  });
  afterAll(async () => {
    await running?.stop();
    await gateway.close();
    await store.dispose();
  });

  const start = async (): Promise<Scene> => {
    const env = { GATEWAY_PROFILE: withRefunds(), GATEWAY_TIMEOUT_MS: '1000', NOT_FOUND_GRACE_SECONDS: '6' };
    running = await startTillfront({ store, gatewayUrl: gateway.url, env });
    return sceneOf(gateway, running);
  };

  test('it is sent once, stays open however long nothing is seen of it, and is found when it is', async () => {
    const before = await start();
    const { payment } = await paid(before);
    say(before, payment, says('SUCCESS'));
    will(before, REFUND, payment, { do: 'silent' });
    const key = { idempotencyKey: `refund-${payment.id}` };
    const died = giveBack(before, payment, { amount: '500.00' }, key).catch(() => undefined);
    await until(() => refundsSent(before, payment).length === 1);
    await before.tillfront.kill();
    await died;
    const after = await start();
    await until(async () => (await after.client.getPayment(payment.id)).pendingOperation !== null);
    // The same call again is answered with the same refund, and nothing is sent again.
    const again = expectStatus(await giveBack(after, payment, { amount: '500.00' }, key), 200);
    expect([again.body.status, again.headers.get('idempotency-replayed')]).toEqual(['processing', 'true']);
    await wait(3_000);
    await expectGivenBack(after, payment, null, ['processing']);
    say(after, payment, says('SUCCESS', { refundedAmount: '500.00' }));
    await until(async () => (await refundsOf(after, payment))[0]?.status === 'succeeded');
    await expectGivenBack(after, payment, '500.00', ['succeeded']);
    expect(refundsSent(after, payment)).toHaveLength(1);
    will(after, REFUND, payment, says('REFUNDED'));
    expect(expectStatus(await giveBack(after, payment), 201).body.amount).toBe('1000.00');
    expect(refundsSent(after, payment).at(-1)?.refundRef).toBe(`${payment.gatewayReference}_r2`);
  });
});

describe('two replicas', () => {
  let gateway: MisbehavingGateway;
  let store: TestStore;
  let replicas: Tillfront[] = [];

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    store = await createTestStore('postgres');
    const env = { GATEWAY_PROFILE: withRefunds(), GATEWAY_TIMEOUT_MS: '20000' };
    replicas = [
      await startTillfront({ store, gatewayUrl: gateway.url, env }),
      await startTillfront({ store, gatewayUrl: gateway.url, env }),
    ];
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await gateway.close();
    await store.dispose();
  });

  test('never give back more than was taken, whichever of them is asked', async () => {
    const [one, other] = replicas.map((replica) => sceneOf(gateway, replica)) as [Scene, Scene];
    const { payment } = await paid(one);
    let given = 0;
    will(one, REFUND, payment, async ({ json }): Promise<Behaviour> => {
      await wait(10);
      given += Number((json as { amount: string }).amount);
      return says('PARTIALLY_REFUNDED');
    });
    for (let round = 0; round < 4; round += 1) {
      const both = [one, other, one, other].map((scene) => giveBack(scene, payment, { amount: '400.00' }));
      for (const { status } of await Promise.all(both)) expect([201, 409]).toContain(status);
    }
    expect(given).toBe(1200);
    const refs = refundsSent(one, payment).map(({ refundRef }) => refundRef);
    expect(new Set(refs).size).toBe(refs.length);
    await expectGivenBack(other, payment, '1200.00', ['succeeded', 'succeeded', 'succeeded']);
  });
});
