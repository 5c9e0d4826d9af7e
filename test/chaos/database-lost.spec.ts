import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../harness/until.js';
import { BILLING, cardBody, PAYER } from './bodies.ts';
import { call, pause, type Reply } from './calls.ts';
import { hold } from './hold.ts';
import { WAYS, type PurchasePlan } from './purchase-plan.ts';
import { settle } from './quiescence.ts';
import { newPurchase } from './purchase.ts';
import { audit } from './audit.ts';
import { Random } from './random.ts';
import type { Replica } from './replica.ts';
import { startSpecWorld, type SpecWorld } from './spec-world.ts';
import type { TcpProxy } from './tcp-proxy.ts';
import { aimed } from './trial-plan.ts';
import { MERCHANT_KEY } from './world.ts';

/** PostgreSQL goes away: at the start, before the intent is written, after the payment was sent, and amid everything. */

const [card] = WAYS as [PurchasePlan];
let scene: SpecWorld;
let line: TcpProxy;
let till: Replica;
let references = 0;

beforeEach(async () => {
  // On the service's clock, which runs twice as fast, a busy machine has 2.5 s for a connection to the database, and 5 s for an answer of the
  // gateway in this process.
  const env = { GATEWAY_TIMEOUT_MS: '10000' };
  scene = await startSpecWorld('postgres', { asleep: true, env, speed: 2 });
  line = scene.databaseLine as TcpProxy;
  [till] = scene.world.replicas as [Replica];
});
afterEach(() => scene.end());

async function newSession(): Promise<{ reference: string; token: string }> {
  references += 1;
  const reference = `DB-${references}`;
  const body = { reference, amount: '1500.00', currency: 'NGN', payer: PAYER, billing: BILLING };
  const url = `${till.url}/v1/checkout-sessions`;
  // A replica's first connection may take too long for its fast clock, on a busy machine: then as a shop would, again with the same key.
  let reply = await call({ method: 'POST', url, bearer: MERCHANT_KEY, key: reference, body });
  await until(async () => {
    if (reply.answered && reply.status === 503)
      reply = await call({ method: 'POST', url, bearer: MERCHANT_KEY, key: reference, body });
    return reply.answered && reply.status !== 503;
  });
  // 200: it was made, and only its answer was late.
  if (!reply.answered || reply.status > 201) throw new Error(`no session: ${JSON.stringify(reply)}`);
  return { reference, token: String(reply.json['clientToken']) };
}

function pay(
  { reference, token }: { reference: string; token: string },
  number = '4111111111111111',
): Promise<Reply> {
  const url = `${till.url}/v1/payments/card`;
  return call({
    method: 'POST',
    url,
    bearer: token,
    key: `${reference}-pay`,
    body: cardBody(number),
  });
}

function told(reply: Reply): [number, unknown] {
  return reply.answered ? [reply.status, reply.json['code'] ?? reply.json['status']] : [0, reply.why];
}

async function ready(): Promise<number> {
  return told(await call({ method: 'GET', url: `${till.url}/health/ready` }))[0];
}

/** Nothing may be open, and all must fit, although no client has asked again. */
async function restsAndFits(reference: string): Promise<void> {
  const { world } = scene;
  const evidence = await settle(world, [newPurchase(card, reference)]);
  await audit(world, evidence);
  expect(world.violations).toEqual([]);
}

test('away at the start: alive, not ready, and keeps trying', async () => {
  await line.turn('refuse');
  till.spawn();
  await until(async () => (await ready()) === 503, 60_000);
  expect(told(await call({ method: 'GET', url: `${till.url}/health/live` }))[0]).toBe(200);
  const url = `${till.url}/v1/checkout-sessions`;
  const body = { reference: 'DB-0', amount: '1500.00', currency: 'NGN' };
  const refused = await call({ method: 'POST', url, bearer: MERCHANT_KEY, key: 'DB-0', body });
  expect(told(refused)).toEqual([503, 'store-unavailable']);
  await line.turn('open');
  await until(async () => (await ready()) === 200);
  expect(told(await pay(await newSession()))).toEqual([201, 'succeeded']);
});

test.each(['refuse', 'swallow'] as const)(
  'away before the intent (%s): 503, nothing is sent, and the same key pays once afterwards',
  async (mode) => {
    till.spawn();
    await till.ready();
    const session = await newSession();
    await line.turn(mode);
    expect(told(await pay(session))).toEqual([503, 'store-unavailable']);
    expect(await ready()).toBe(503);
    expect(scene.world.sandbox.recorder.calls(`${session.reference}_1`)).toEqual({});
    await line.turn('open');
    let reply = await pay(session);
    await until(
      async () => (reply = await pay(session)).answered && reply.json['status'] === 'succeeded',
      60_000,
    );
    expect(told(reply)[1]).toBe('succeeded');
    await restsAndFits(session.reference);
  },
  120_000,
);

test('away after the payment was sent: its outcome is found out, and it is sent once', async () => {
  till.spawn();
  await till.ready();
  const session = await newSession();
  const { sandbox } = scene.world;
  await scene.world.control('faults', { kind: 'delay', operation: 'payCard', delayMs: 400 });
  const paying = pay(session);
  await until(() => sandbox.recorder.calls(`${session.reference}_1`)['payCard'] === 1);
  await line.turn('refuse');
  const reply = await paying;
  expect(told(reply)).toEqual([503, 'store-unavailable']);
  expect(reply.answered && reply.json['paymentId']).toMatch(/^pay_/);
  await line.turn('open');
  await restsAndFits(session.reference);
  expect(told(await pay(session))).toEqual([200, 'succeeded']);
  expect(sandbox.recorder.calls(`${session.reference}_1`)['payCard']).toBe(1);
});

/** What the commit of an intent writes. */
const INTENT_OF_PAYMENT = 'idempotency_keys*payments*';
const INTENT_OF_OPERATION = 'idempotency_keys*operations*payments*';

/** What the commit of an operation's outcome writes, of one that tells the shop. */
const OUTCOME_OF_OPERATION = 'event_batches*operations*payments*';

/** The next commit of an operation gets through, and the process learns nothing of it. */
async function loseCommit(intent: string, calling: () => Promise<Reply>): Promise<Reply> {
  const { store } = scene.world;
  const intents = async (): Promise<number> =>
    (await store.read('select id from operations union all select id from payments')).length;
  const before = await intents();
  await till.command({
    do: 'arm',
    orders: [{ action: 'stop', at: `before store ${intent}`, nth: 1 }],
  });
  const called = calling();
  await until(() => till.struck !== undefined);
  line.mute();
  till.signal('SIGCONT');
  await until(async () => (await intents()) > before);
  line.cut();
  return called;
}

test('the commit of an intent gets through, its answer does not: nothing is sent, and soon another payment may be', async () => {
  till.spawn();
  await till.ready();
  const { sandbox } = scene.world;
  const session = await newSession();
  expect(told(await loseCommit(INTENT_OF_PAYMENT, () => pay(session)))).toEqual([503, 'store-unavailable']);
  // Its owner knows that nothing was sent, and need not wait for the gateway to deny it.
  let again = await pay(session);
  await until(async () => (again = await pay(session)).answered && again.status === 200);
  const failed = again as Reply & { answered: true };
  expect(failed.json).toMatchObject({
    status: 'failed',
    failure: { code: 'gateway_unavailable', retryable: true },
  });
  expect(sandbox.recorder.list(`${session.reference}_1`)).toEqual([]);
  expect(told(await pay({ ...session, reference: `${session.reference}-anew` }))).toEqual([201, 'succeeded']);
  await restsAndFits(session.reference);
});

test('the commit of a completion gets through, its answer does not: the hold stands, and is completed once', async () => {
  till.spawn();
  await till.ready();
  const { sandbox } = scene.world;
  const session = await newSession();
  const held = await pay(session, '4000000000000903');
  expect(told(held)).toEqual([201, 'authorized']);
  const id = held.answered ? String(held.json['id']) : '';
  const complete = (key: string): Promise<Reply> =>
    call({
      method: 'POST',
      url: `${till.url}/v1/payments/${id}/complete`,
      bearer: MERCHANT_KEY,
      key,
      body: {},
    });
  expect(told(await loseCommit(INTENT_OF_OPERATION, () => complete('lost')))).toEqual([
    503,
    'store-unavailable',
  ]);
  await until(async () => told(await complete('lost'))[0] === 200);
  expect(sandbox.recorder.calls(`${session.reference}_1`)['complete']).toBeUndefined();
  expect(told(await complete('anew'))).toEqual([200, 'succeeded']);
  expect(sandbox.recorder.calls(`${session.reference}_1`)['complete']).toBe(1);
  await restsAndFits(session.reference);
});

test('the commit of a refund’s outcome gets through, its answer does not: it is given back once, and nobody must look', async () => {
  till.spawn();
  await till.ready();
  const session = await newSession();
  const paid = await pay(session);
  const id = paid.answered ? String(paid.json['id']) : '';
  const about = async (): Promise<Record<string, unknown>> => {
    const url = `${till.url}/v1/payments/${id}`;
    const reply = await call({ method: 'GET', url, bearer: MERCHANT_KEY });
    return reply.answered ? reply.json : {};
  };
  const { store } = scene.world;
  const settled = async (): Promise<boolean> =>
    (await store.read(`select id from operations where status = 'confirmed'`)).length > 0;
  await till.command({
    do: 'arm',
    orders: [{ action: 'stop', at: `before store ${OUTCOME_OF_OPERATION}`, nth: 1 }],
  });
  const url = `${till.url}/v1/payments/${id}/refunds`;
  const refunding = call({
    method: 'POST',
    url,
    bearer: MERCHANT_KEY,
    key: 'refund',
    body: { amount: '500.00' },
  });
  await until(() => till.struck !== undefined);
  line.mute();
  till.signal('SIGCONT');
  await until(settled);
  line.cut();
  expect(told(await refunding)).toEqual([201, 'succeeded']);
  expect(await about()).toMatchObject({ amountRefunded: '500.00', needsAttention: false });
});

test('away again and again while all kinds of payments run', async () => {
  const { world } = scene;
  await world.wake();
  const breaking = (async () => {
    for (const mode of ['cut', 'refuse', 'cut', 'swallow', 'cut'] as const) {
      await pause(300);
      if (mode === 'cut') line.cut();
      else await line.turn(mode);
      await pause(200);
      await line.turn('open');
    }
  })();
  await hold(world, { ...aimed(card, []), purchases: [...WAYS] }, 'broken', new Random(11));
  await breaking;
}, 300_000);
