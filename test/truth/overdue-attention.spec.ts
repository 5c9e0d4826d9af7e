import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PaymentBody } from '../harness/client.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { paymentThatIs, payWallet, questions, say } from './situations.js';
import { storedRows } from './stored-time.js';

const HOUR = 3_600_000;
const busy: Behaviour = { do: 'answer', status: 429, body: {}, headers: { 'retry-after': '3600' } };

describe.each(anyStore)('while the gateway is busy for everybody, on the %s store', (store) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(store);
  });
  afterAll(() => scene.stop());

  /** Nothing has been heard of the payment for so long, and it has been due for half an hour. */
  async function silent({ id }: PaymentBody, milliseconds: number): Promise<void> {
    const since = Date.now() - milliseconds;
    await storedRows(
      scene,
      `update payments set created_at = ${since}, open_since = case when status = 'authorized' then null else ${since} end,
        held_since = case when status = 'authorized' then ${since} else null end,
        next_status_check_at = ${Date.now() - HOUR / 2} where id = '${id}'`,
    );
  }

  const shown = ({ id }: PaymentBody) => scene.client.getPayment(id);
  async function reasonOf({ id }: PaymentBody): Promise<unknown> {
    const raised = (await scene.client.getEvents(id)).find(({ type }) => type === 'needs_attention');
    return (raised?.detail as { reason?: string } | undefined)?.reason;
  }

  test('attention comes by time, though no question can be asked; what it is raised for stays due', async () => {
    const held = await paymentThatIs(scene, 'authorized');
    const wallet = await payWallet(scene);
    const charged = await paymentThatIs(scene, 'processing');
    const all = [held, wallet, charged].map(({ payment }) => payment);
    for (const payment of all) say(scene, payment, busy);
    // The first answer stops all questions for an hour.
    await until(() => questions(scene, charged.payment) > 0, 60_000);
    const young = await paymentThatIs(scene, 'processing');
    await silent(young.payment, 2 * HOUR - 60_000);
    await silent(held.payment, 6 * 24 * HOUR + 1_000);
    await silent(wallet.payment, 72 * HOUR + 1_000);
    await silent(charged.payment, 2 * HOUR + 1_000);
    const asked = all.map((payment) => questions(scene, payment));

    for (const payment of all) await until(async () => (await shown(payment)).needsAttention, 60_000);
    expect(await Promise.all(all.map(reasonOf))).toEqual([
      'hold_left_alone',
      'no_conclusive_answer',
      'being_charged',
    ]);
    expect(all.map((payment) => questions(scene, payment))).toEqual(asked);
    expect((await shown(young.payment)).needsAttention).toBe(false);
    const due = await storedRows(
      scene,
      `select id from payments where next_status_check_at < ${Date.now() - HOUR / 4}`,
    );
    expect(due).toHaveLength(4);
  });
});
