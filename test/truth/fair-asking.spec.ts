import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WORTH } from '../../src/payments/schedule/worth.js';
import { expectStatus, type PaymentBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore, createTestStore, type StoreKind, type TestStore } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import {
  act,
  answer,
  approved,
  cardAnswer,
  declined,
  failed,
  noWord,
  payCard,
  payWallet,
  pending,
  questions,
  redirectRequired,
  say,
  sent,
  CARD,
  wait,
} from './situations.js';
import { storedRows } from './stored-time.js';
import { heldBack } from './two-paid.js';

/**
 * One schedule asks all questions that no payer waits for: by their worth, each kind with its share, within the
 * gateway's rate, and none before another for ever.
 */

const SECOND = 1_000;

const account = answer({
  error: false,
  message: 'Account created',
  data: {
    transactionRef: 'TRX-1',
    transaction: {
      status: 'PENDING',
      accountNumber: '0123456789',
      accountName: 'Shop',
      bankName: 'Bank',
      amount: '1500.00',
      currency: 'NGN',
    },
    date: '2026-01-01',
    errorCode: '',
  },
});

async function notify(scene: Scene, payment: PaymentBody, status: string): Promise<void> {
  const body = { client_ref: payment.gatewayReference, data: { transaction: { status } } };
  const answered = await fetch(`${scene.tillfront.url}/v1/gateway/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answered.arrayBuffer();
  expect(answered.status).toBe(200);
}

/** A payment whose outcome is unknown: the gateway's answer was lost. */
async function unknown(scene: Scene): Promise<PaymentBody> {
  return (await payCard(scene, { do: 'reset-after-reading' })).payment;
}

/** What a question may take at most: without a fair order it would take minutes, and a busy machine has less to do in five seconds. */
const SOON = 15 * SECOND;

/** Has payments be asked about now. */
const makeDue = (scene: Scene, where: string): Promise<unknown> =>
  storedRows(scene, `update payments set next_status_check_at = ${Date.now() - 1_000} where ${where}`);

/** When the gateway was asked, from now on. */
function whenAsked(scene: Scene): { at: number; path: string }[] {
  const asked: { at: number; path: string }[] = [];
  scene.gateway.script('GET /transaction/*', (request) => {
    asked.push({ at: performance.now(), path: request.path });
    return answer(pending);
  });
  return asked;
}

/** A scene for each test. */
function ownScenes(kind: StoreKind): {
  start: (env?: Record<string, string>) => Promise<Scene>;
  store: () => TestStore;
} {
  let store: TestStore;
  let scene: Scene;
  beforeEach(async () => {
    store = await createTestStore(kind);
  });
  afterEach(async () => {
    await scene.stop();
    await store.dispose();
  });
  return {
    start: async (env = {}) => (scene = await startScene(store, { TRUST_PROXY: '1', ...env })),
    store: () => store,
  };
}

describe.each(anyStore)('asking the gateway on the %s store', (kind) => {
  const { start } = ownScenes(kind);

  test('ten thousand open payments are due: a fresh unknown one is asked about within 5 s, within the rate', async () => {
    const scene = await start({ GATEWAY_STATUS_QUERIES_PER_SECOND: '5' });
    const asked = whenAsked(scene);
    const old = await unknown(scene);
    const columns = (
      await storedRows(
        scene,
        kind === 'embedded'
          ? `select name from pragma_table_info('payments')`
          : `select column_name as name from information_schema.columns where table_name = 'payments'`,
      )
    ).map(({ name }) => String(name));
    const due = String(Date.now() - 60_000);
    const own: Record<string, string> = {
      id: `'pay_crowd' || i`,
      gateway_reference: `'CROWD_' || i`,
      next_status_check_at: due,
      status_check_count: '20',
      lease_owner: 'null',
      lease_until: '0',
    };
    await storedRows(
      scene,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
       insert into payments (${columns.join(', ')})
       select ${columns.map((name) => own[name] ?? `payments.${name}`).join(', ')}
       from n, payments where payments.id = '${old.id}'`,
    );
    await until(() => asked.some(({ path }) => path.includes('CROWD')));
    for (let each = 0; each < 3; each++) {
      const began = performance.now();
      const fresh = await unknown(scene);
      const isFresh = ({ path }: { path: string }): boolean => path.endsWith(`/${fresh.gatewayReference}`);
      await until(() => asked.some(isFresh));
      expect((asked.find(isFresh)?.at ?? Infinity) - began).toBeLessThan(SOON);
    }
    // Five leave in a second. This process is not always at once there to see them come, so that some seem closer than they were.
    const times = asked.map(({ at }) => at);
    const seconds = (Math.max(...times) - Math.min(...times)) / SECOND;
    expect(times.length).toBeLessThanOrEqual(5 * (seconds + 2));
  }, 180_000);

  test('once the gateway decides what was unknown for long, all that is unknown is asked about at once', async () => {
    const scene = await start();
    const undecided = answer(cardAnswer({ status: 'STRANGE' }));
    const [decided, other, told] = [await unknown(scene), await unknown(scene), await unknown(scene)];
    const all = [decided, other, told];
    for (const payment of all) say(scene, payment, undecided);
    const ids = `id in (${all.map(({ id }) => `'${id}'`).join()})`;
    const later = Date.now() + 240 * SECOND;
    // As after an outage of many minutes. Whoever is just being asked about is planned again after that.
    await until(async () => {
      await storedRows(
        scene,
        `update payments set status_check_count = 12, next_status_check_at = ${later}, created_at = created_at - 120000
         where ${ids} and next_status_check_at < ${later} and lease_owner is null`,
      );
      const rows = await storedRows(
        scene,
        `select id from payments where ${ids} and created_at < ${later - 340_000}`,
      );
      return rows.length === all.length;
    });
    // A notification about it came during the outage.
    await storedRows(
      scene,
      `update payments set status_check_worth = ${WORTH.notified}, notification_checks = 0, notification_claims = '["succeeded"]'
       where id = '${told.id}'`,
    );
    for (const payment of all) say(scene, payment, answer(approved));
    await makeDue(scene, `id = '${decided.id}'`);
    for (const { id } of [other, told]) await scene.client.waitForStatus(id, 'succeeded', 60_000);
  });
});

describe.each(anyStore)('asking a gateway that refuses, hangs or lags, on the %s store', (kind) => {
  const { start, store } = ownScenes(kind);

  test('429 with Retry-After: nothing is asked that no payer waits for, and a payer’s question is', async () => {
    const scene = await start({ GATEWAY_STATUS_QUERIES_PER_SECOND: '10' });
    const payments = [await unknown(scene), await unknown(scene), await unknown(scene)];
    const asked: number[] = [];
    let busy = true;
    scene.gateway.script('GET /transaction/*', () => {
      asked.push(performance.now());
      return busy
        ? { do: 'answer', status: 429, body: {}, headers: { 'retry-after': '6' } }
        : answer(pending);
    });
    await until(() => asked.length > 0);
    const began = asked[0] ?? 0;
    // Those that were on their way when the answer came.
    await wait(500);
    busy = false;
    const before = asked.length;
    expect(before).toBeLessThanOrEqual(3);
    await wait(2_000);
    expect(asked.length).toBe(before);
    const [payment] = payments;
    if (!payment) throw new Error('there is no payment');
    expectStatus(await act(scene, 'refresh', payment), 200);
    expect(asked.length).toBe(before + 1);
    await until(() => asked.length > before + 1);
    expect((asked[before + 1] ?? 0) - began).toBeGreaterThanOrEqual(5_900);
    expect((asked[before + 1] ?? 0) - began).toBeLessThan(30_000);
  });

  test('an operation that hangs delays no question of the other', async () => {
    // Longer than all of this takes: those that hang are not asked about again.
    const scene = await start({ GATEWAY_TIMEOUT_MS: '100000', SHUTDOWN_GRACE_MS: '3000' });
    scene.gateway.script('POST /payment/transfer', account);
    scene.gateway.script('POST /payment/status', { do: 'silent' });
    for (let each = 0; each < 40; each++) {
      expectStatus(await scene.client.payTransfer(await scene.client.createSession()), 201);
    }
    await makeDue(scene, `method = 'transfer'`);
    await until(() => scene.gateway.requestsTo('POST /payment/status').length >= 5);
    const asked = whenAsked(scene);
    for (let each = 0; each < 3; each++) {
      const began = performance.now();
      const card = await unknown(scene);
      const isIts = ({ path }: { path: string }): boolean => path.endsWith(`/${card.gatewayReference}`);
      await until(() => asked.some(isIts));
      expect((asked.find(isIts)?.at ?? Infinity) - began).toBeLessThan(SOON);
    }
    // And it does not take all of the gateway's connections.
    expect(scene.gateway.requestsTo('POST /payment/status').length).toBeLessThanOrEqual(20);
  });

  test('a status that lags its notification by seconds ends succeeded, across a restart too', async () => {
    const scene = await start();
    const { payment } = await payCard(scene, answer(declined));
    const lagging = await payCard(scene, answer(declined));
    say(scene, payment, answer(failed), answer(failed), answer(approved));
    say(scene, lagging.payment, answer(failed));
    await notify(scene, payment, 'SUCCESS');
    await notify(scene, lagging.payment, 'SUCCESS');
    await scene.client.waitForStatus(payment.id, 'succeeded');
    expect(questions(scene, payment)).toBe(3);
    await until(() => questions(scene, lagging.payment) >= 3);
    await scene.tillfront.kill();
    say(scene, lagging.payment, answer(approved));
    const { gateway, client } = scene;
    const { port } = scene.tillfront;
    scene.tillfront = await startTillfront({ store: store(), gatewayUrl: gateway.url, port });
    await makeDue(scene, `id = '${lagging.payment.id}' and notification_checks is not null`);
    await client.waitForStatus(lagging.payment.id, 'succeeded');
  });

  test('fifty notifications that the gateway gives no answer to keep the fifty-first waiting for nobody', async () => {
    const scene = await start({ GATEWAY_STATUS_QUERIES_PER_SECOND: '20' });
    const others: PaymentBody[] = [];
    for (let each = 0; each < 50; each++) {
      const { payment } = await payWallet(scene);
      say(scene, payment, each % 2 === 0 ? noWord : answer(cardAnswer({ status: 'STRANGE' })));
      others.push(payment);
    }
    const { payment } = await payCard(scene, answer(declined));
    say(scene, payment, answer(approved));
    const silent = others.filter((_, each) => each % 2 === 0);
    await Promise.all(silent.map((other) => notify(scene, other, 'SUCCESS')));
    // So many have failed that the operation seems to, and may only be probed.
    const isOpen = 'tillfront_gateway_circuit_open{operation="transactionStatus"} 1';
    await until(async () => (await (await fetch(`${scene.tillfront.url}/metrics`)).text()).includes(isOpen));
    const strange = others.filter((_, each) => each % 2 === 1);
    await Promise.all(strange.map((other) => notify(scene, other, 'SUCCESS')));
    const askedOfOthers = (): number => others.reduce((sum, other) => sum + questions(scene, other), 0);
    const before = askedOfOthers();
    await notify(scene, payment, 'SUCCESS');
    await scene.client.waitForStatus(payment.id, 'succeeded', 60_000);
    // What six seconds have room for, however long they take on a machine that is busy.
    expect(askedOfOthers() - before).toBeLessThan(6 * 20);
  });
});

describe.each(anyStore)('asking about one payment, on the %s store', (kind) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(kind, { TRUST_PROXY: '1' });
  });
  afterAll(() => scene.stop());

  test('a decline is asked about after 10 minutes, a day and six days: money that came late is told', async () => {
    const { payment } = await payCard(scene, answer(declined));
    const planned = async (): Promise<number | null> => {
      const [row] = await storedRows(
        scene,
        `select next_status_check_at - closed_at as after from payments where id = '${payment.id}'`,
      );
      return row?.['after'] === null ? null : Number(row?.['after']);
    };
    const closedBefore = (milliseconds: number): Promise<unknown> =>
      storedRows(
        scene,
        `update payments set closed_at = ${Date.now() - milliseconds}, next_status_check_at = ${Date.now()}
         where id = '${payment.id}'`,
      );
    say(scene, payment, answer(failed));
    expect(await planned()).toBe(600 * SECOND);
    await closedBefore(601 * SECOND);
    await until(() => questions(scene, payment) >= 1);
    await until(async () => (await planned()) === 86_400 * SECOND);
    await closedBefore(86_401 * SECOND);
    await until(async () => (await planned()) === 6 * 86_400 * SECOND);
    expect((await scene.client.getPayment(payment.id)).status).toBe('failed');
    say(scene, payment, answer(approved));
    await closedBefore(6 * 86_400 * SECOND + 1);
    await scene.client.waitForStatus(payment.id, 'succeeded');
    const moves = await scene.client.getEvents(payment.id);
    expect(moves.find(({ to }) => to === 'succeeded')).toMatchObject({ from: 'failed', late: true });
  });

  test('an answer that agrees with the notification ends its following; one that tells nothing new costs none', async () => {
    const { payment } = await payCard(scene, answer(declined));
    const told = await payCard(scene, answer(declined));
    say(scene, payment, answer(approved));
    await notify(scene, told.payment, 'FAILED');
    await notify(scene, payment, 'SUCCESS');
    await until(() => questions(scene, payment) === 1);
    await wait(3_500);
    expect(questions(scene, payment)).toBe(1);
    expect(questions(scene, told.payment)).toBe(0);
  });

  test('refreshes and returns of one payment that wait share one next question', async () => {
    const owed = await scene.client.createSession();
    const { payment } = await payCard(scene, answer(redirectRequired), owed);
    const [request] = sent(scene, CARD, payment);
    const back = (request?.json as { authNotifyUrl: string }).authNotifyUrl;
    const { responder, release } = heldBack();
    say(scene, payment, responder, answer(approved));
    const first = act(scene, 'refresh', payment);
    await until(() => questions(scene, payment) === 1);
    const waiting = [
      ...Array.from({ length: 6 }, () => act(scene, 'refresh', payment)),
      ...Array.from({ length: 3 }, () => fetch(back, { redirect: 'manual' })),
    ];
    // They all wait by the time that what was asked after them is answered, again and again.
    for (let times = 0; times < 5; times++) {
      await scene.client.getPayment(payment.id);
      await wait(200);
    }
    release(answer(pending));
    expect(expectStatus(await first, 200).body.status).toBe('requires_action');
    for (const answered of await Promise.all(waiting)) {
      if ('body' in answered && answered.status === 200) {
        expect(answered.body).toMatchObject({ status: 'succeeded' });
      }
    }
    expect(questions(scene, payment)).toBe(2);
  });

  test('a payer’s return begins the backoff anew', async () => {
    const { payment } = await payCard(scene, answer(redirectRequired));
    const [request] = sent(scene, CARD, payment);
    const back = (request?.json as { authNotifyUrl: string }).authNotifyUrl;
    say(scene, payment, answer(pending));
    const later = Date.now() + 250 * SECOND;
    await storedRows(
      scene,
      `update payments set status_check_count = 12, next_status_check_at = ${later} where id = '${payment.id}'`,
    );
    expect((await fetch(back, { redirect: 'manual' })).status).toBe(303);
    const [row] = await storedRows(
      scene,
      `select next_status_check_at as at, status_check_count as count from payments where id = '${payment.id}'`,
    );
    // Not 13; on a busy machine the schedule may have asked again already.
    expect(Number(row?.['count'])).toBeLessThanOrEqual(2);
    expect(Number(row?.['at']) - Date.now()).toBeLessThanOrEqual(32 * SECOND);
  });
});
