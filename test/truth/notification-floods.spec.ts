import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PaymentBody } from '../harness/client.js';
import { randomWord } from '../harness/random-word.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore, createTestStore, type TestStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { answer, approved, paymentThatIs, payWallet, pending, questions, say } from './situations.js';
import { storedRows } from './stored-time.js';

/**
 * References can be guessed, and without a secret anybody can send notifications about them: however many come, nobody is
 * shut out, the disk does not fill and the gateway is not asked without end.
 */

const SENDERS = 16;

/** Sends notifications as fast as they are answered; gives how often each status came. */
async function flood(
  scene: Scene,
  count: number,
  body: (index: number) => string,
  address: (index: number) => string = () => '203.0.113.7',
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  let sent = 0;
  const sender = async (): Promise<void> => {
    while (sent < count) {
      const index = sent++;
      const answered = await notify(scene, body(index), address(index));
      statuses[answered] = (statuses[answered] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return statuses;
}

async function notify(scene: Scene, body: string, address = '198.51.100.1'): Promise<number> {
  const answered = await fetch(`${scene.tillfront.url}/v1/gateway/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body,
  });
  await answered.arrayBuffer();
  return answered.status;
}

const about = (payment: PaymentBody, over: object = {}) =>
  JSON.stringify({ client_ref: payment.gatewayReference, ...over });

async function counted(scene: Scene, result: string): Promise<number> {
  const text = await (await fetch(`${scene.tillfront.url}/metrics`)).text();
  return Number(new RegExp(`notifications_total\\{result="${result}"\\} (\\d+)`).exec(text)?.[1]);
}

describe.each(anyStore)('a flood of notifications to the %s store', (kind) => {
  let store: TestStore;
  let scene: Scene;
  const started: Scene[] = [];

  const start = async (env: Record<string, string> = {}): Promise<Scene> => {
    scene = await startScene(store, { TRUST_PROXY: '1', ...env });
    started.push(scene);
    return scene;
  };
  beforeEach(async () => {
    store = await createTestStore(kind);
  });
  afterEach(async () => {
    for (const each of started.splice(0)) await each.stop();
    await store.dispose();
  });

  test('about one payment: its inbox is bounded, and the gateway’s own word gets through', async () => {
    await start();
    const { payment } = await payWallet(scene);
    say(scene, payment, answer(pending));
    const began = Date.now();
    const padding = 'x'.repeat(8_000);
    const junk = (index: number) => about(payment, { status: 'FAILED', index, padding });
    expect(await flood(scene, 500, junk)).toEqual({ 200: 500 });
    // From other addresses too, whose content is kept.
    expect(await flood(scene, 150, junk, (index) => `203.0.114.${index % 100}`)).toEqual({ 200: 150 });
    const seconds = (Date.now() - began) / 1_000;
    expect(await notify(scene, about(payment, { status: 'SUCCESS' }))).toBe(200);
    // One a second, and what the schedule asks by itself.
    expect(questions(scene, payment)).toBeLessThanOrEqual(1.3 * seconds + 3);

    // They are answered first, then what is beyond the limits goes.
    await until(async () => {
      const [kept] = await storedRows(
        scene,
        `select count(*) as count, sum(octet_length(body)) as bytes
         from notifications where payment_id = '${payment.id}'`,
      );
      return Number(kept?.['count']) <= 50 && Number(kept?.['bytes']) <= 64 * 1024;
    });
    expect(await counted(scene, 'received')).toBe(651);

    say(scene, payment, answer(approved));
    expect(await notify(scene, about(payment, { status: 'SUCCESS' }))).toBe(200);
    await scene.client.waitForStatus(payment.id, 'succeeded');
  });

  test('about nothing of ours: what is kept is little, the oldest goes first, and nobody is refused', async () => {
    await start();
    const unknown = () =>
      JSON.stringify({ client_ref: `ORDER-${randomWord(8)}_1`, padding: 'y'.repeat(9_000) });
    expect(await flood(scene, 100, unknown)).toEqual({ 200: 100 });
    expect([await counted(scene, 'unmatched'), await counted(scene, 'capped')]).toEqual([60, 40]);
    // Another address is not held to it.
    expect(await notify(scene, unknown())).toBe(200);
    // Metrics are rendered once a second.
    await until(async () => (await counted(scene, 'unmatched')) === 61);
    const stored = await storedRows(scene, 'select octet_length(body) as bytes from notifications');
    expect(stored).toHaveLength(61);
    expect(Math.max(...stored.map(({ bytes }) => Number(bytes)))).toBeLessThanOrEqual(4_096);

    await storedRows(
      scene,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
       insert into notifications (id, received_at, digest, media_type, body, status, repeats)
       select 'old_' || i, i, 'old_' || i, '', '', 'unmatched', 0 from n`,
    );
    for (let index = 0; index < 120; index++) await notify(scene, unknown(), `203.0.115.${index}`);
    await until(async () => {
      const rows = await storedRows(
        scene,
        `select id, received_at from notifications where status = 'unmatched'`,
      );
      const ids = new Set(rows.map(({ id }) => id));
      return rows.length <= 10_000 && !ids.has('old_1') && ids.has('old_10000');
    });
    const young = await storedRows(scene, `select id from notifications where id like 'ntf%'`);
    expect(young).toHaveLength(181);
  });

  test('about many payments: the gateway is asked at a bounded rate, and everybody has a turn, after a crash too', async () => {
    const env = { GATEWAY_STATUS_QUERIES_PER_SECOND: '10' };
    await start(env);
    // Paid ones, which the schedule does not ask about.
    const made: PaymentBody[] = [];
    for (let count = 0; count < 45; count++) made.push((await paymentThatIs(scene, 'succeeded')).payment);
    for (const payment of made) say(scene, payment, answer(approved));
    const { gateway } = scene;
    gateway.forget();
    await flood(scene, made.length * 3, (index) =>
      about(made[index % made.length] as PaymentBody, { index }),
    );
    await until(() => gateway.requests.length >= 5);
    await scene.tillfront.kill();
    const before = [...gateway.requests];
    gateway.forget();

    await start({ ...env, GATEWAY_BASE_URL: gateway.url });
    const asked = (): Set<string> => new Set([...before, ...gateway.requests].map(({ path }) => path));
    await until(
      () => made.every((payment) => asked().has(`/transaction/${payment.gatewayReference}`)),
      60_000,
    );
    for (const times of [before, gateway.requests].map((requests) => requests.map(({ at }) => at))) {
      // Ten leave in a second; on a busy machine some arrive later than others.
      const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000;
      expect(times.length).toBeLessThanOrEqual(10 * (seconds + 2));
    }
  });

  test('one that speaks while the store is full of waiting junk is not lost', async () => {
    await start();
    const { payment } = await payWallet(scene);
    say(scene, payment, answer(pending));
    await storedRows(
      scene,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
       insert into notifications (id, received_at, digest, media_type, body, payment_id, status, repeats)
       select 'junk_' || i, i, 'junk_' || i, '', '', 'pay_0' || i, 'received', 0 from n`,
    );
    say(scene, payment, answer(approved));
    expect(await notify(scene, about(payment))).toBe(200);
    await scene.client.waitForStatus(payment.id, 'succeeded');
  });
});
