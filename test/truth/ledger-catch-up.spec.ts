import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TillfrontClient } from '../harness/client.js';
import { answer, cardAnswer } from '../harness/gateway-answers.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import type { Scene } from '../harness/scene.js';
import { createTestStore, type TestStore } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { asked, payCard, paidWith, say } from './situations.js';
import { storedRows } from './stored-time.js';

/** Replicas of 0.2.0 run beside this version for a while, and write no entries into the ledger. */

let store: TestStore;
let gateway: MisbehavingGateway;
let scene: Scene;

const start = async (): Promise<void> => {
  const tillfront = await startTillfront({ store, gatewayUrl: gateway.url });
  const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  scene = { gateway, tillfront, client, stop: async () => void (await tillfront.stop()) };
};
const entries = async (): Promise<Record<string, unknown>[]> =>
  storedRows(
    scene,
    'select payment_id, kind, direction, amount, refund_id, actor from movements order by payment_id, kind, direction, amount',
  );

beforeAll(async () => {
  store = await createTestStore('postgres');
  gateway = await startMisbehavingGateway();
  await start();
});
afterAll(async () => {
  await scene?.stop();
  await gateway?.close();
  await store?.dispose();
});

test('what has no entries gets them, once, and what has them is left alone', async () => {
  const said = paidWith({ amount: '1500.00', currency: 'NGN' });
  const paid = async (): Promise<string> => (await payCard(scene, said)).payment.id;
  await paid();
  const missing = [await paid()];
  for (const [status, more] of [
    ['PARTIALLY_REFUNDED', { refundedAmount: '500.00' }],
    ['CHARGEBACK', {}],
    ['VOIDED', {}],
  ] as const) {
    const { payment } = await payCard(scene, said);
    say(scene, payment, answer(cardAnswer({ status, ...more })));
    await asked(scene, payment);
    missing.push(payment.id);
  }
  const before = await entries();
  expect(before).toHaveLength(8);
  await scene.stop();
  const those = missing.map((id) => `'${id}'`).join(', ');
  await storedRows(scene, `delete from movements where payment_id in (${those})`);
  // 0.2.0 knew no amount of a chargeback.
  await storedRows(scene, `update payments set amount_disputed = null where id in (${those})`);
  const written = `select id, updated_at from payments where id in (${those}) order by id`;
  const writtenBefore = await storedRows(scene, written);
  const begun = Date.now();
  await start();
  await until(async () => (await entries()).length >= before.length);
  expect(await entries()).toEqual(before);
  expect(scene.tillfront.logs()).toContain('"event":"ledger.caught_up"');
  // They say when they were entered, and so does the payment: by that another process knows that its gap is closed.
  const times = await storedRows(
    scene,
    `select at, recorded_at from movements where payment_id in (${those})`,
  );
  for (const { at, recorded_at: recordedAt } of times) {
    expect(Number(at)).toBeLessThan(begun);
    expect(Number(recordedAt)).toBeGreaterThanOrEqual(begun);
  }
  for (const [index, { updated_at: updatedAt }] of (await storedRows(scene, written)).entries())
    expect(Number(updatedAt)).toBeGreaterThan(Number(writtenBefore[index]?.['updated_at']));
  await scene.stop();
  await start();
  await scene.client.createSession();
  expect(await entries()).toEqual(before);
});
