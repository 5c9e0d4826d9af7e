import { Agent } from 'node:http';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { BILLING, cardBody, PAYER } from './bodies.ts';
import { call, pause } from './calls.ts';
import type { Replica } from './replica.ts';
import { until } from '../harness/until.js';
import { startSpecWorld, type SpecWorld } from './spec-world.ts';
import { MERCHANT_KEY } from './world.ts';

/** SIGTERM in the middle of work, as a deployment sends it. Clocks run at their own speed here. */

const GRACE_MS = 12_000;
/** How long the gateway takes in the test that outlasts the grace: a process that waited for it would end so much later. */
const OUTLASTING_MS = 40_000;
let scene: SpecWorld;
let till: Replica;
let references = 0;

beforeEach(async () => {
  scene = await startSpecWorld('embedded', {
    asleep: true,
    speed: 1,
    env: { SHUTDOWN_GRACE_MS: String(GRACE_MS), GATEWAY_TIMEOUT_MS: '60000' },
  });
  [till] = scene.world.replicas as [Replica];
  till.spawn();
  await till.ready();
});
afterEach(() => scene.end());

async function newSession(): Promise<{ reference: string; token: string }> {
  references += 1;
  const reference = `STOP-${references}`;
  const body = { reference, amount: '1500.00', currency: 'NGN', payer: PAYER, billing: BILLING };
  const url = `${till.url}/v1/checkout-sessions`;
  const reply = await call({ method: 'POST', url, bearer: MERCHANT_KEY, key: reference, body });
  if (!reply.answered || reply.status !== 201) throw new Error(`no session: ${JSON.stringify(reply)}`);
  return { reference, token: String(reply.json['clientToken']) };
}

function pay({ token, reference }: { token: string; reference: string }, agent?: Agent) {
  const key = `${reference}-pay`;
  const url = `${till.url}/v1/payments/card`;
  return call({
    method: 'POST',
    url,
    bearer: token,
    key,
    body: cardBody('4111111111111111'),
    ...(agent && { agent }),
  });
}

async function slowly(reference: string, delayMs: number): Promise<void> {
  await scene.world.control('faults', {
    kind: 'delay',
    operation: 'payCard',
    client_ref: `${reference}_1`,
    delayMs,
  });
}

async function untilSent(reference: string): Promise<void> {
  while (scene.world.sandbox.recorder.calls(`${reference}_1`)['payCard'] === undefined) await pause(10);
}

test('what is in flight is finished, who waits is answered at once, and nothing new is begun', async () => {
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const waiting = await newSession();
  const wallet = await call({
    method: 'POST',
    url: `${till.url}/v1/payments/wallet`,
    bearer: waiting.token,
    key: 'wallet',
    body: {},
  });
  const { id } = (wallet.answered ? wallet.json : {}) as { id: string };
  const inFlight = await newSession();
  const late = await newSession();
  await slowly(inFlight.reference, 1_500);
  // A connection that is kept alive, as a proxy keeps it.
  await call({ method: 'GET', url: `${till.url}/v1/payments/${id}`, bearer: waiting.token, agent: kept });
  const paying = pay(inFlight);
  await untilSent(inFlight.reference);
  const polling = timed(
    call({ method: 'GET', url: `${till.url}/v1/payments/${id}?wait=25`, bearer: waiting.token }),
  );
  // It waits by the time that what was asked after it is answered.
  for (let times = 0; times < 3; times++) {
    await call({ method: 'GET', url: `${till.url}/v1/payments/${id}`, bearer: waiting.token });
    await pause(70);
  }

  const stopping = performance.now();
  till.signal('SIGTERM');
  await pause(100);
  till.signal('SIGTERM');
  const readiness = await call({ method: 'GET', url: `${till.url}/health/ready` });
  expect(readiness.answered ? readiness.status : 'refused').not.toBe(200);
  const refused = await pay(late, kept);
  expect(refused.answered ? refused.json['code'] : 'refused').toMatch(/^(shutting-down|refused)$/);

  const polled = await polling;
  expect(polled.answered && polled.json['status']).toBe('requires_action');
  // At once, as far as a slow machine can: it would have waited for 25 seconds.
  expect(polled.endedAt - stopping).toBeLessThan(9_000);
  const paid = await paying;
  expect(paid.answered && [paid.status, paid.json['status']]).toEqual([201, 'succeeded']);
  expect(await till.ended).toEqual({ code: 0, signal: null });
  expect(performance.now() - stopping).toBeLessThan(GRACE_MS - 1_000);
  expect(scene.world.sandbox.ledger.entries(`${late.reference}_1`)).toEqual([]);

  // What it had to announce waits in the store, for the next process or another replica.
  till.spawn();
  await until(() =>
    scene.world.shop.delivered.some(
      ({ type, reference }) => type === 'payment.succeeded' && reference === inFlight.reference,
    ),
  );
});

test('what outlasts the grace is found out at the next start', async () => {
  const session = await newSession();
  await slowly(session.reference, OUTLASTING_MS);
  const paying = pay(session);
  await untilSent(session.reference);
  const stopping = performance.now();
  till.signal('SIGTERM');
  expect(await till.ended).toEqual({ code: 0, signal: null });
  const took = performance.now() - stopping;
  expect(took).toBeGreaterThan(GRACE_MS - 500);
  expect(took).toBeLessThan(OUTLASTING_MS - 10_000);
  expect((await paying).answered).toBe(false);

  till.spawn();
  await till.ready();
  const replayed = await pay(session);
  // Until its payment is recovered, the first request still counts as running, and the answer names the payment.
  const said = replayed.answered ? replayed.json : {};
  expect(said['id'] ?? said['paymentId']).toBeDefined();
  const id = String(said['id'] ?? said['paymentId']);
  const url = `${till.url}/v1/payments/${id}`;
  await until(async () => {
    const payment = await call({ method: 'GET', url, bearer: session.token });
    return payment.answered && payment.json['status'] === 'succeeded';
  }, 60_000);
  const found = await call({ method: 'GET', url, bearer: session.token });
  expect(found.answered && found.json['status']).toBe('succeeded');
  expect(scene.world.sandbox.recorder.calls(`${session.reference}_1`)['payCard']).toBe(1);
});

async function timed<T extends object>(work: Promise<T>): Promise<T & { endedAt: number }> {
  const result = await work;
  return { ...result, endedAt: performance.now() };
}
