import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectStatus, TillfrontClient, type PaymentBody } from '../harness/client.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import {
  act,
  answer,
  approved,
  CARD,
  paymentThatIs,
  questions,
  say,
  sent,
  VOID,
  voided,
  will,
  type Stage,
} from './situations.js';

const PRELOAD = new URL('../harness/step-clock.mjs', import.meta.url).href;
const AHEAD_MS = 20 * 60_000;

let store: TestStore;
let gateway: MisbehavingGateway;
let right: Tillfront;
let ahead: Tillfront;

beforeAll(async () => {
  store = await createTestStore('postgres');
  gateway = await startMisbehavingGateway();
  const common = { store, gatewayUrl: gateway.url };
  const env = { GATEWAY_TIMEOUT_MS: '60000', NOT_FOUND_GRACE_SECONDS: '60' };
  right = await startTillfront({ ...common, env });
  ahead = await startTillfront({
    ...common,
    startsWhen: 'live',
    env: {
      ...env,
      NODE_OPTIONS: `--import ${PRELOAD}`,
      CLOCK_OFFSET_MS: String(AHEAD_MS),
      CLOCK_STEPS_MS: String(-AHEAD_MS),
    },
  });
});
afterAll(async () => {
  await Promise.all([right?.stop(), ahead?.stop()]);
  await gateway?.close();
  await store?.dispose();
});

const stageOf = ({ url, merchantKey }: Tillfront): Stage => ({
  gateway,
  client: new TillfrontClient(url, merchantKey),
});

async function readiness({ url }: Tillfront): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/health/ready`);
  return { status: response.status, body: await response.json() };
}

test('the one whose clock is 20 minutes ahead takes no living call over, and pays nothing twice', async () => {
  const [one, other] = [stageOf(right), stageOf(ahead)];
  const session = await one.client.createSession();
  let releasePay: (behaviour: Behaviour) => void = () => undefined;
  let releaseVoid: (behaviour: Behaviour) => void = () => undefined;
  will(one, CARD, session, () => new Promise((resolve) => (releasePay = resolve)));
  const paid = await paymentThatIs(one, 'succeeded');
  will(one, VOID, paid.session, () => new Promise((resolve) => (releaseVoid = resolve)));
  const paying = one.client.payCard(session);
  const voiding = act(one, 'void', paid.payment);
  await until(() => sent(one, CARD, session).length + sent(one, VOID, paid.session).length === 2);
  const [living] = (await other.client.paymentsOf(session.reference)) as [PaymentBody];

  // The replica that is ahead works meanwhile: an unknown outcome of its own is asked about again and again.
  const unknown = await paymentThatIs(other, 'processing');
  say(other, unknown.payment, answer({}, 500));
  await until(() => questions(other, unknown.payment) >= 5, 60_000);
  expectStatus(await other.client.payCard(session), 409);
  expectStatus(await act(other, 'void', paid.payment), 409);
  expect(questions(one, living) + questions(one, paid.payment)).toBe(0);

  releasePay(answer(approved));
  releaseVoid(answer(voided));
  expect(expectStatus(await paying, 201).body.status).toBe('succeeded');
  expect(expectStatus(await voiding, 200).body.status).toBe('voided');
  expect(sent(one, CARD, session)).toHaveLength(1);
  expect(sent(one, VOID, paid.session)).toHaveLength(1);
  expect((await other.client.getPayment(living.id)).status).toBe('succeeded');
});

test('it is not ready and says why, once in the log; and is ready again by itself when its clock is set', async () => {
  expect(await readiness(right)).toEqual({ status: 200, body: { status: 'ready' } });
  const said = await readiness(ahead);
  expect(said).toMatchObject({ status: 503, body: { status: 'not-ready', reason: 'clock' } });
  expect((said.body as { detail: string }).detail).toMatch(/^This machine's clock is 1(19|20)\d s ahead of/);
  await until(() => ahead.logs().includes('"clock.wrong"'));
  expect(ahead.logs().match(/"clock\.wrong"/g)).toHaveLength(1);
  process.kill(ahead.pid, 'SIGUSR2');
  await until(async () => (await readiness(ahead)).status === 200);
  await until(() => ahead.logs().includes('"clock.right"'));
  expect(ahead.logs().match(/"clock\.wrong"/g)).toHaveLength(1);
});
