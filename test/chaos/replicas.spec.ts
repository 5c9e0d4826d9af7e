import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../harness/until.js';
import { audit } from './audit.ts';
import { BILLING, cardBody, PAYER } from './bodies.ts';
import { call, pause, type Reply } from './calls.ts';
import { hold } from './hold.ts';
import { WAYS, type PurchasePlan } from './purchase-plan.ts';
import { newPurchase } from './purchase.ts';
import { settle } from './quiescence.ts';
import { Random } from './random.ts';
import { startSpecWorld, type SpecWorld } from './spec-world.ts';
import { aimed } from './trial-plan.ts';
import { MERCHANT_KEY, NOTIFICATION_SECRET, type World } from './world.ts';

/** Two processes on one database, asked about the same things at once; one of them dies or stops while it holds them. */

const [card] = WAYS as [PurchasePlan];
/** Fifteen seconds of the service's clock, less by how much the two differ, and what the whole seconds of a stamp leave out. */
const DELIVERY_TIMEOUT_MS = 13_500;
let scene: SpecWorld;
let world: World;
let references = 0;

beforeAll(async () => {
  scene = await startSpecWorld('postgres', { replicas: 2, clockOffsets: [0, 400] });
  ({ world } = scene);
});
afterAll(() => scene.end());

interface Session {
  reference: string;
  token: string;
}

async function newSession(): Promise<Session> {
  references += 1;
  const reference = `TWO-${references}`;
  const body = { reference, amount: '1500.00', currency: 'NGN', payer: PAYER, billing: BILLING };
  const [reply] = await atBoth(2, (url) =>
    call({ method: 'POST', url: `${url}/v1/checkout-sessions`, bearer: MERCHANT_KEY, key: reference, body }),
  );
  if (!reply?.answered || reply.status > 201) throw new Error(`no session: ${JSON.stringify(reply)}`);
  return { reference, token: String(reply.json['clientToken']) };
}

/** So many calls at once, to the replicas in turn. */
function atBoth(times: number, make: (url: string, index: number) => Promise<Reply>): Promise<Reply[]> {
  const urls = world.replicas.map(({ url }) => url);
  return Promise.all(Array.from({ length: times }, (_, index) => make(urls[index % 2] as string, index)));
}

function pay(url: string, { token }: Session, key: string): Promise<Reply> {
  const body = cardBody('4111111111111111');
  return call({ method: 'POST', url: `${url}/v1/payments/card`, bearer: token, key, body });
}

async function restsAndFits(...sessions: Session[]): Promise<void> {
  const purchases = sessions.map(({ reference }) => newPurchase(card, reference));
  await audit(world, await settle(world, purchases));
  expect(world.violations).toEqual([]);
}

function answers(replies: Reply[]): (Reply & { answered: true })[] {
  return replies.map((reply) => {
    if (!reply.answered) throw new Error(reply.why);
    return reply;
  });
}

/** The answer to the call that made the payment, not to a repetition. */
function isFirst({ status, headers }: Reply & { answered: true }): boolean {
  return (status === 201 || status === 202) && headers['idempotency-replayed'] !== 'true';
}

/** How a payment stands, once nothing of it is under way. */
async function statusOf(id: string): Promise<unknown> {
  const payment = await world.ask(`/v1/payments/${id}`);
  return payment?.['pendingOperation'] === null ? payment['status'] : undefined;
}

test('equal keys, then different keys, at both at once: one payment, one charge', async () => {
  const session = await newSession();
  const equal = answers(await atBoth(16, (url) => pay(url, session, 'equal')));
  // 202 where this process, which is the gateway too, took too long for the service's quick clock.
  expect(equal.filter((reply) => isFirst(reply))).toHaveLength(1);
  const ids = new Set(equal.map(({ json }) => String(json['paymentId'] ?? json['id'])));
  expect(ids.size).toBe(1);
  const [id = ''] = ids;
  await until(async () => (await statusOf(id)) === 'succeeded');
  const different = answers(await atBoth(16, (url, index) => pay(url, session, `different-${index}`)));
  expect(new Set(different.map(({ json }) => json['code']))).toEqual(new Set(['session-paid']));

  const fresh = await newSession();
  const raced = answers(await atBoth(16, (url, index) => pay(url, fresh, `raced-${index}`)));
  expect(raced.filter((reply) => isFirst(reply))).toHaveLength(1);
  await restsAndFits(session, fresh);
  for (const { reference } of [session, fresh]) {
    expect(
      world.sandbox.ledger.entries(`${reference}_1`).filter(({ kind }) => kind === 'charge'),
    ).toHaveLength(1);
    expect(world.sandbox.ledger.entries(`${reference}_2`)).toEqual([]);
  }
});

test('completions and voids at both at once: each is sent once', async () => {
  const session = await newSession();
  const body = cardBody('4000000000000903');
  const url = `${world.replicas[0]?.url ?? ''}/v1/payments/card`;
  const [held] = answers([await call({ method: 'POST', url, bearer: session.token, key: 'hold', body })]);
  const id = String(held?.json['id']);
  await until(async () => (await statusOf(id)) === 'authorized');
  for (const [what, becomes] of [
    ['complete', 'succeeded'],
    ['void', 'voided'],
  ] as const) {
    await atBoth(10, (to, index) =>
      call({
        method: 'POST',
        url: `${to}/v1/payments/${id}/${what}`,
        bearer: MERCHANT_KEY,
        key: `${session.reference}-${what}-${index % 5}`,
        body: {},
      }),
    );
    await until(async () => (await statusOf(id)) === becomes);
  }
  const calls = world.sandbox.recorder.calls(`${session.reference}_1`);
  expect({ complete: calls['complete'], void: calls['void'] }).toEqual({ complete: 1, void: 1 });
  await restsAndFits(session);
});

test('notifications and refreshes at both at once: the gateway is asked by one at a time', async () => {
  const session = await newSession();
  const url = `${world.replicas[0]?.url ?? ''}/v1/payments/wallet`;
  const [wallet] = answers([
    await call({ method: 'POST', url, bearer: session.token, key: 'wallet', body: {} }),
  ]);
  const clientRef = `${session.reference}_1`;
  const answerAfter = 250;
  await world.control('faults', {
    kind: 'delay',
    operation: 'transactionStatus',
    client_ref: clientRef,
    delayMs: answerAfter,
    times: 6,
  });
  await atBoth(12, (to, index) =>
    index % 3 === 0
      ? call({
          method: 'POST',
          url: `${to}/v1/payments/${String(wallet?.json['id'])}/refresh`,
          bearer: MERCHANT_KEY,
        })
      : call({
          method: 'POST',
          url: `${to}/v1/gateway/notifications`,
          bearer: NOTIFICATION_SECRET,
          body: { client_ref: clientRef, index },
        }),
  );
  await world.control(`transactions/${clientRef}/approve`, {});
  await restsAndFits(session);
  const asked = world.sandbox.recorder
    .list(clientRef, 'transactionStatus')
    .filter(({ fault }) => fault === 'delay')
    .map(({ at }) => Date.parse(at));
  expect(asked.length).toBeGreaterThan(1);
  const gaps = asked.slice(1).map((at, index) => at - (asked[index] as number));
  // A timer may fire a millisecond early.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(answerAfter - 2);
});

test('deliveries are shared: while nobody dies, each event comes once', async () => {
  world.shop.forget();
  await hold(world, { ...aimed(card, []), purchases: [...WAYS] }, 'shared', new Random(2));
  const times = Map.groupBy(world.shop.delivered, ({ id }) => id);
  expect(times.size).toBeGreaterThan(WAYS.length);
  const twice = [...times.values()].filter((same) => same.length > 1);
  // A delivery that takes too long is made again, however slow this machine is: nothing else is.
  const sooner = twice.filter(
    ([first, second]) => (second?.sentAt ?? 0) - (first?.sentAt ?? 0) < DELIVERY_TIMEOUT_MS,
  );
  expect(sooner).toEqual([]);
});

test.each([
  ['kill', 'sent gateway POST /payment/card', card],
  ['stop', 'sent gateway POST /payment/card', card],
  [
    'stop',
    'after gateway GET /transaction/:client_ref',
    WAYS.find(({ name }) => name === 'wallet') as PurchasePlan,
  ],
  ['stop', 'head of delivery', card],
  ['kill', 'after store event_batches', card],
] as const)(
  '%s at "%s" while it holds what it was at: the other one takes over, and a late return changes nothing',
  async (action, at, way) => {
    const replica = references++ % 2;
    const plan = { ...aimed({ ...way, onSilence: ['same-key'] }, [{ action, at, nth: 1 }]), replica };
    await hold(world, { ...plan, purchases: [way, way, way] }, `R${references}`, new Random(replica));
  },
  120_000,
);

test('stopped in the very instant of sending for longer than the grace: charged late, found, and named', async () => {
  const late = await startSpecWorld('postgres', { replicas: 2, pauseMs: 3_500 });
  try {
    const at = 'before gateway POST /payment/card';
    const way: PurchasePlan = { ...card, mayBePaidTwice: true, attempts: 2 };
    await hold(late.world, aimed(way, [{ action: 'stop', at, nth: 1 }]), 'instant', new Random(1));
    await until(() => late.world.sandbox.recorder.calls('instant-1_1')['payCard'] === 1);
    await pause(500);
    const again = await settle(late.world, [newPurchase(way, 'instant-1')]);
    await audit(late.world, again);
    expect(late.world.violations).toEqual([]);
  } finally {
    await late.end();
  }
});

test('wall clocks 20 minutes apart, both asked: one dies, one stands still, and nothing is doubled or lost', async () => {
  const apart = await startSpecWorld('postgres', { replicas: 2, clockOffsets: [0, 20 * 60_000] });
  try {
    const readiness = (): Promise<Reply> =>
      call({ method: 'GET', url: `${apart.world.replicas[1]?.url ?? ''}/health/ready` });
    await until(async () => {
      const reply = await readiness();
      return reply.answered && reply.status === 503;
    });
    expect(await readiness()).toMatchObject({ status: 503, json: { reason: 'clock' } });
    for (const [action, at] of [
      ['kill', 'sent gateway POST /payment/card'],
      ['stop', 'after gateway POST /payment/card'],
    ] as const) {
      const plan = { ...aimed(card, [{ action, at, nth: 1 }]), replica: 'every' as const };
      await hold(apart.world, { ...plan, purchases: [...WAYS] }, `apart-${action}`, new Random(4));
    }
  } finally {
    await apart.end();
  }
}, 300_000);
