import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../cli/run-cli.js';
import {
  expectStatus,
  problemOf,
  TillfrontClient,
  type Answer,
  type PaymentBody,
} from '../harness/client.js';
import { answer, approved, held } from '../harness/gateway-answers.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { giveBack, REFUND, says, withRefunds } from '../truth/refunds.js';
import { act, COMPLETION, noWord, payCard, questions, say, VOID, voided, will } from '../truth/situations.js';
import { storedRows } from '../truth/stored-time.js';

/** What is given out after a loss that a person has accepted was never given out before, and old money moves only after an answer. */
describe.each(stores)('after an accepted loss on the %s store', (kind) => {
  let store: TestStore;
  let gateway: MisbehavingGateway;
  let tillfront: Tillfront | undefined;
  let stage: { gateway: MisbehavingGateway; client: TillfrontClient };

  beforeEach(async () => {
    store = await createTestStore(kind);
    gateway = await startMisbehavingGateway();
  });
  afterEach(async () => {
    await tillfront?.stop();
    tillfront = undefined;
    await gateway.close();
    await store.dispose();
  });

  async function start(): Promise<void> {
    const env = { GATEWAY_PROFILE: withRefunds(), GATEWAY_TIMEOUT_MS: '20000' };
    tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env });
    stage = { gateway, client: new TillfrontClient(tillfront.url, tillfront.merchantKey) };
  }

  const accept = () =>
    runCli(['store', 'accept-loss', '--json'], {
      DATA_DIR: store.dataDir,
      DATABASE_URL: store.databaseUrl,
      GATEWAY_BASE_URL: gateway.url,
      PUBLIC_BASE_URL: 'http://127.0.0.1:3000',
      GATEWAY_API_KEY: testKeys.apiKey,
      GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
    });

  const isReady = async (): Promise<boolean> =>
    (await fetch(`${tillfront?.url ?? ''}/health/ready`).catch(() => undefined))?.ok === true;

  /** A loss that a process has found which knew of an epoch, and its acceptance. The process goes on or, embedded, is started anew. */
  async function loseAndAccept(epoch: number): Promise<void> {
    const running = tillfront;
    if (!running) throw new Error('nothing runs');
    if (kind === 'embedded') await running.stop();
    const detail = JSON.stringify({ missing: [], found: 0, epoch });
    await storedRows(
      { tillfront: running },
      `insert into store_losses (id, found_at, found_by, detail) values ('loss_${epoch}', 1, 'own_other', '${detail}')`,
    );
    if (kind === 'postgres') await until(async () => !(await isReady()));
    expect((await accept()).code).toBe(0);
    if (kind === 'embedded') await start();
    else await until(isReady);
  }

  const refundRefs = (): string[] =>
    gateway.requestsTo(REFUND).map(({ json }) => (json as { refundRef: string }).refundRef);

  const eventIds = async ({ id }: PaymentBody): Promise<string[]> => {
    const { body } = await stage.client.get<{ data: { id: string; data: { id: string } }[] }>(
      '/v1/events?limit=100',
    );
    return body.data.filter(({ data }) => data.id === id).map((event) => event.id);
  };

  test('references of refunds and ids of events are new ones, of a later epoch than any that was known', async () => {
    await start();
    const { payment } = await payCard(stage, answer(approved));
    say(stage, payment, says('SUCCESS'));
    will(stage, REFUND, payment, says('PARTIALLY_REFUNDED'));
    expectStatus(await giveBack(stage, payment, { amount: '100.00' }), 201);
    await until(async () => (await eventIds(payment)).length === 2);
    expect(await eventIds(payment)).toEqual([`evt_${payment.id}_1`, `evt_${payment.id}_2`]);
    await loseAndAccept(0);
    expectStatus(await giveBack(stage, payment, { amount: '100.00' }), 201);
    await loseAndAccept(4);
    expectStatus(await giveBack(stage, payment, { amount: '100.00' }), 201);
    expect(refundRefs()).toEqual(['r1', 'r2e1', 'r3e5'].map((end) => `${payment.gatewayReference}_${end}`));
    await until(async () => (await eventIds(payment)).length === 4);
    expect((await eventIds(payment)).slice(2)).toEqual([`evt_${payment.id}_3e1`, `evt_${payment.id}_4e5`]);
    const again = await stage.client.post(`/v1/events/evt_${payment.id}_4e5/redeliver`, {});
    expect(again.status).not.toBe(404);
    const session = (await eventIdsOfSessions()).at(-1);
    expect(session).toMatch(/_1$/);
    const { session: later } = await payCard(stage, answer(approved));
    await until(async () => (await eventIdsOfSessions()).includes(`evt_${later.id}_1e5`));
  });

  async function eventIdsOfSessions(): Promise<string[]> {
    const { body } = await stage.client.get<{ data: { id: string; type: string }[] }>('/v1/events?limit=100');
    return body.data.filter(({ type }) => type.startsWith('checkout_session.')).map(({ id }) => id);
  }

  test('money from before it moves only after the gateway has answered', async () => {
    await start();
    const [refunded, reversed, taken] = [
      (await payCard(stage, answer(approved))).payment,
      (await payCard(stage, answer(approved))).payment,
      (await payCard(stage, answer(held))).payment,
    ];
    await loseAndAccept(0);
    for (const payment of [refunded, reversed, taken]) say(stage, payment, noWord);
    will(stage, REFUND, refunded, says('REFUNDED'));
    will(stage, VOID, reversed, answer(voided));
    will(stage, COMPLETION, taken, answer(approved));
    const doings: (() => Promise<Answer<unknown>>)[] = [
      () => giveBack(stage, refunded),
      () => act(stage, 'void', reversed),
      () => act(stage, 'complete', taken),
    ];
    for (const doing of doings) {
      expect(problemOf(expectStatus(await doing(), 409)).code).toBe('outcome-unknown');
    }
    for (const route of [REFUND, VOID, COMPLETION]) expect(gateway.requestsTo(route)).toEqual([]);
    say(stage, refunded, says('SUCCESS'));
    say(stage, reversed, says('SUCCESS'));
    say(stage, taken, answer(held));
    for (const doing of doings) expectStatus(await doing(), 200, 201);
    const later = (await payCard(stage, answer(approved))).payment;
    say(stage, later, noWord);
    will(stage, VOID, later, answer(voided));
    expectStatus(await act(stage, 'void', later), 200);
    expect(questions(stage, later)).toBe(0);
  });

  if (kind === 'postgres') {
    test('a session that went with it is none any longer, also for a process that still knows it', async () => {
      await start();
      const session = await stage.client.createSession();
      const other = await stage.client.createSession();
      const running = { tillfront: tillfront as Tillfront };
      for (const { id, reference } of [session, other]) {
        await storedRows(running, `delete from checkout_sessions where id = '${id}'`);
        await storedRows(running, `delete from payment_references where reference = '${reference}'`);
      }
      await loseAndAccept(0);
      for (let time = 0; time < 2; time++) {
        const refused = problemOf(expectStatus(await stage.client.payCard(session), 401));
        expect(refused.code).toBe('unauthorized');
      }
      const closing = stage.client.post(`/v1/checkout-sessions/${other.id}/close`, {});
      expect(problemOf(expectStatus(await closing, 404)).code).toBe('not-found');
      expect(gateway.requestsTo('POST /payment/card')).toEqual([]);
    });
    return;
  }

  test('a refund that a restored copy has forgotten goes out under a reference of its own, also after a second restore', async () => {
    await start();
    const { payment } = await payCard(stage, answer(approved));
    say(stage, payment, says('SUCCESS'));
    will(stage, REFUND, payment, says('PARTIALLY_REFUNDED'));
    const file = join(store.dataDir, 'tillfront.db');
    const copy = join(store.dataDir, 'copy.db');
    await tillfront?.stop();
    copyFileSync(file, copy);
    await start();
    for (let times = 0; times < 3; times += 1) {
      expectStatus(await giveBack(stage, payment, { amount: '100.00' }), 201);
      await tillfront?.stop();
      copyFileSync(copy, `${copy}.2`);
      renameSync(`${copy}.2`, file);
      await expect(start()).rejects.toThrow(/has forgotten/);
      expect((await accept()).code).toBe(0);
      await start();
    }
    expect(refundRefs()).toEqual(['r1', 'r1e1', 'r1e2'].map((end) => `${payment.gatewayReference}_${end}`));
  });
});
