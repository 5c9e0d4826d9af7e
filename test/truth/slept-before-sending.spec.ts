import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, problemOf, type PaymentBody } from '../harness/client.js';
import { startHeldTls, type HeldTls } from '../harness/held-tls.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { act, answer, approved, CARD, say, sent, sessionOf, VOID, voided, will } from './situations.js';

const PRELOAD = new URL('../harness/step-clock.mjs', import.meta.url).href;
const MINUTE = 60_000;
/** What each of the tests needs, in their order. */
const STEPS = [20 * MINUTE, -20 * MINUTE, 20 * MINUTE];
/** Connections are kept for 4 s. After that the next call makes a new one. */
const CONNECTIONS_END_MS = 20_000;

/**
 * A machine that sleeps between the commit of an intent and the sending of it wakes up with its timers where they were.
 * Only the wall clock shows it, here as a step. Meanwhile another replica may have ended the payment, and the payer may have
 * paid again.
 */
describe.each(anyStore)('a machine that sleeps before a request leaves, on the %s store', (store) => {
  let front: HeldTls;
  let scene: Scene;

  beforeAll(async () => {
    front = await startHeldTls();
    scene = await startScene(store, {
      NODE_OPTIONS: `--import ${PRELOAD}`,
      CLOCK_STEPS_MS: STEPS.join(','),
      GATEWAY_BASE_URL: front.url,
      NODE_EXTRA_CA_CERTS: front.caFile,
    });
    front.target = scene.gateway.url;
  });
  afterAll(async () => {
    await scene?.stop();
    await front?.close();
  });

  const slept = () => scene.tillfront.logs().split('clock set').length;

  async function sleepBeforeSending<T>(call: () => Promise<T>): Promise<T> {
    await front.drained(CONNECTIONS_END_MS);
    front.hold();
    const calling = call();
    await until(() => front.waiting() > 0);
    const sleeps = slept();
    process.kill(scene.tillfront.pid, 'SIGUSR2');
    await until(() => slept() > sleeps);
    front.release();
    return calling;
  }

  test.each([
    ['ahead', 0],
    ['behind', 1],
  ])(
    'wakes up with its wall clock %s: the payment is not sent, and can be tried again',
    async () => {
      const { client } = scene;
      const session = await client.createSession();
      will(scene, CARD, session, answer(approved));
      const refused = problemOf(expectStatus(await sleepBeforeSending(() => client.payCard(session)), 503));
      expect(refused.code).toBe('gateway-unavailable');
      expect(sent(scene, CARD, session)).toHaveLength(0);
      expect(await client.getPayment(refused.paymentId as string)).toMatchObject({
        status: 'failed',
        failure: { code: 'gateway_unavailable', retryable: true },
      });
      expect(expectStatus(await client.payCard(session), 201).body).toMatchObject({ status: 'succeeded' });
      expect(sent(scene, CARD, session)).toHaveLength(1);
    },
    120_000,
  );

  test('a void that was not sent leaves the payment paid', async () => {
    const { client } = scene;
    const session = await client.createSession();
    will(scene, CARD, session, answer(approved));
    const payment: PaymentBody = expectStatus(await client.payCard(session), 201).body;
    will(scene, VOID, session, answer(voided));
    say(scene, payment, answer(approved));
    expectStatus(await sleepBeforeSending(() => act(scene, 'void', payment)), 503);
    expect(sent(scene, VOID, session)).toHaveLength(0);
    expect(await client.getPayment(payment.id)).toMatchObject({
      status: 'succeeded',
      pendingOperation: null,
    });
    expect((await sessionOf(scene, session)).status).toBe('paid');
  });
});
