import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectStatus, type PaymentBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { giveBack, lost, REFUND, refundsOf, says, withRefunds } from './refunds.js';
import {
  act,
  answer,
  approved,
  asked,
  otherAmount,
  payCard,
  say,
  will,
  type Situation,
} from './situations.js';
import { storedRows } from './stored-time.js';

const ERASED = '[erased]';
const DAY = 24 * 3_600_000;

/** A name that stands wherever somebody types a text. */
const typed = () => `Ada Lovelace ${randomUUID()}`;

describe.each(stores)('what people typed, on the %s store', (kind) => {
  const env = { GATEWAY_PROFILE: withRefunds(), PAYER_RETENTION_DAYS: '30' };
  let store: TestStore;
  let scene: Scene;

  beforeAll(async () => {
    store = await createTestStore(kind);
    scene = await startScene(store, env);
  });
  afterAll(async () => {
    await scene.stop();
    await store.dispose();
  });

  /** Every row of every table in which a text stands, by table. */
  async function findings(text: string): Promise<string[]> {
    const embedded = `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`;
    const postgres = `select table_name as name from information_schema.tables where table_schema = 'public'`;
    const tables = await storedRows(scene, kind === 'embedded' ? embedded : postgres);
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await storedRows(scene, `select * from ${String(name)}`);
      const all = rows.map((row) => JSON.stringify(Object.values(row).map(String)));
      if (all.some((row) => row.includes(text))) found.push(String(name));
    }
    return found;
  }

  /** A paid order with a refund that is open, another that was done, and a person's word, each with the name in it. */
  async function described(name: string): Promise<Situation> {
    const session = await scene.client.createSession({ metadata: { deliverTo: name, cart: '42' } });
    const { payment } = await payCard(scene, answer(approved), session);
    say(scene, payment, otherAmount);
    expect((await asked(scene, payment)).needsAttention).toBe(true);
    const word = { status: 'succeeded', note: `Called ${name}.` };
    expectStatus(await act(scene, 'resolve', payment, word), 200);
    will(scene, REFUND, payment, says('REFUNDED', { amount: '100.00', currency: 'NGN' }), lost);
    expectStatus(await giveBack(scene, payment, { amount: '100.00', reason: `For ${name}` }), 201);
    expectStatus(await giveBack(scene, payment, { amount: '200.00', reason: `Again for ${name}` }), 202);
    return { session, payment };
  }

  async function expectErased(name: string, { session, payment }: Situation): Promise<void> {
    expect(await findings(name)).toEqual([]);
    const { metadata, reference, status } = (await scene.client.getPayment(payment.id)) as PaymentBody & {
      metadata: unknown;
    };
    expect({ metadata, reference, status }).toEqual({
      metadata: { deliverTo: ERASED, cart: ERASED },
      reference: session.reference,
      status: 'succeeded',
    });
    expect((await refundsOf(scene, payment)).map(({ reason }) => reason)).toEqual([ERASED, ERASED]);
    const timeline = await scene.client.getEvents(payment.id);
    expect(timeline.find(({ type }) => type === 'resolved')?.detail).toEqual({
      as: 'succeeded',
      note: ERASED,
    });
  }

  test('is erased with the payer’s data, wherever it stands, and nothing brings it back', async () => {
    const name = typed();
    const order = await described(name);
    const places = ['checkout_sessions', 'events', 'payments', 'written_texts'];
    expect((await findings(name)).sort()).toEqual(places);
    const path = `/v1/checkout-sessions/${order.session.id}/redact`;
    expectStatus(await scene.client.post(path), 200);
    await expectErased(name, order);
    // What happens afterwards tells of the order, not of what was erased.
    const [open] = (await refundsOf(scene, order.payment)).filter((refund) => refund.status === 'processing');
    say(scene, order.payment, says('PARTIALLY_REFUNDED', { refundedAmount: '300.00' }));
    await asked(scene, order.payment);
    expect(open).toBeDefined();
    await expectErased(name, order);
  });

  test('is erased when its time is over', async () => {
    const name = typed();
    const order = await described(name);
    await storedRows(
      scene,
      `update checkout_sessions set finished_at = ${Date.now() - 31 * DAY} where id = '${order.session.id}'`,
    );
    await scene.tillfront.stop();
    // What is over is looked for at the start, and once a minute: src/ops/retention.worker.ts.
    const { gateway, tillfront } = scene;
    scene.tillfront = await startTillfront({ store, gatewayUrl: gateway.url, port: tillfront.port, env });
    await until(async () => (await findings(name)).length === 0);
    await expectErased(name, order);
  });
});
