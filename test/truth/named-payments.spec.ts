import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runCli } from '../cli/run-cli.js';
import {
  expectStatus,
  newReference,
  problemOf,
  TillfrontClient,
  type Answer,
  type PaymentBody,
  type SessionBody,
} from '../harness/client.js';
import { answer, approved, cardAnswer, declined, notFoundAnswer } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { service } from '../setup/service.js';
import { report, reportRow, upload, type SettlementBody } from '../settlement/settlement-scene.js';
import { storedRows } from './stored-time.js';
import { eventsOf } from './two-paid.js';

const SECRET = 'notification-secret-7vKq2mXr9Lw4';
const CARD = 'POST /payment/card';

/** A gateway that charges whatever it is asked to, and answers as its books say. */
interface Books {
  readonly gateway: MisbehavingGateway;
  /** What it says of a reference, for those that it knows. */
  readonly known: Map<string, Behaviour>;
  /** The references that were charged since the last reset. */
  charged(): string[];
}

async function startBooks(): Promise<Books> {
  const gateway = await startMisbehavingGateway();
  const known = new Map<string, Behaviour>();
  const charged = (): string[] =>
    gateway.requestsTo(CARD).map(({ json }) => (json as { client_ref: string }).client_ref);
  return { gateway, known, charged };
}

/** Scripts are of one use for each test. */
function open({ gateway, known }: Books, { afterMs = 0 } = {}): void {
  known.clear();
  gateway.forget();
  gateway.script(CARD, ({ json }) => {
    known.set((json as { client_ref: string }).client_ref, answer(approved));
    return answer(approved);
  });
  gateway.script('GET /transaction/*', ({ path }) => {
    const said = known.get(decodeURIComponent(path.split('/').at(-1) ?? '')) ?? answer(notFoundAnswer);
    return said.do === 'answer' && afterMs > 0 ? { ...said, afterMs } : said;
  });
}

const outcomes = (answers: readonly Answer<unknown>[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const one of answers) {
    const outcome = one.status < 400 ? String(one.status) : problemOf(one).code;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

const env = { NOTIFICATION_SECRET: SECRET, RATE_LIMIT_PER_MINUTE: '0' };

// Built here, since a test's own time is for what it tests.
beforeAll(async () => {
  await service('build');
}, 300_000);

describe('payments that may have been made', () => {
  let books: Books;
  let tillfront: Tillfront;
  let client: TillfrontClient;

  beforeAll(async () => {
    books = await startBooks();
    tillfront = await startTillfront({ store: 'embedded', gatewayUrl: books.gateway.url, env });
    client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  });
  beforeEach(() => {
    open(books);
  });
  afterAll(async () => {
    await tillfront.stop();
    await books.gateway.close();
  });

  const notify = (reference: string, secret = SECRET): Promise<Response> =>
    fetch(`${tillfront.url}/v1/gateway/notifications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify({ client_ref: reference, status: 'SUCCESS' }),
    });
  const pay = async (reference: string): Promise<Answer<PaymentBody>> =>
    client.payCard(await client.createSession({ reference }));
  const questionsAbout = (reference: string): number =>
    books.gateway.requests.filter(
      ({ method, path }) => method === 'GET' && path.startsWith(`/transaction/${reference}_`),
    ).length;

  test('are not charged again after notifications that matched nothing', async () => {
    const references = Array.from({ length: 30 }, newReference);
    const sessions: SessionBody[] = [];
    for (const reference of references) sessions.push(await client.createSession({ reference }));
    for (const reference of references) {
      books.known.set(`${reference}_1`, answer(approved));
      expect((await notify(`${reference}_1`)).status).toBe(200);
    }
    const answers = await Promise.all(sessions.map((session) => client.payCard(session)));
    expect(outcomes(answers)).toEqual({ 'session-paid': 30 });
    expect(books.charged()).toEqual([]);
    const [payment] = await client.paymentsOf(references[0] ?? '');
    expect(payment).toMatchObject({ status: 'succeeded', method: 'unknown', amountCaptured: '1500.00' });
    expect(problemOf(answers[0] as Answer<unknown>).paymentId).toBe(payment?.id);
    const adopted = (await client.getEvents(payment?.id ?? '')).find(({ type }) => type === 'adopted');
    expect(adopted?.detail).toEqual({ source: 'notification' });
  });

  test('count only by a notification’s secret, and not far beyond all others', async () => {
    const reference = newReference();
    books.known.set(`${reference}_2`, answer(approved));
    expect((await notify(`${reference}_2`, 'another')).status).toBe(401);
    expect((await notify(`${reference}_1000`)).status).toBe(200);
    expect((await notify(`${reference}_1001`)).status).toBe(200);
    expect((await pay(reference)).status).toBe(201);
    // The one that was named, which the gateway denies by both queries, and the one after it.
    expect(books.charged()).toEqual([`${reference}_1001`]);
    expect(questionsAbout(reference)).toBe(2);
  });

  test('are asked about by every query for the methods on offer', async () => {
    const reference = newReference();
    books.gateway.script('POST /payment/status', ({ json }) =>
      (json as { client_ref: string }).client_ref === `${reference}_1`
        ? answer(approved)
        : answer(notFoundAnswer),
    );
    await notify(`${reference}_1`);
    expect(problemOf(await pay(reference)).code).toBe('session-paid');
    expect(await client.paymentsOf(reference)).toMatchObject([{ method: 'transfer', status: 'succeeded' }]);
    expect(books.charged()).toEqual([]);
    books.gateway.script('POST /payment/status', answer(notFoundAnswer));
  });

  test('that the gateway denies hold nothing up, and their numbers are not used again', async () => {
    const reference = newReference();
    for (const n of [1, 3]) await notify(`${reference}_${n}`);
    expect((await pay(reference)).status).toBe(201);
    expect(books.charged()).toEqual([`${reference}_4`]);
    expect(await client.paymentsOf(reference)).toHaveLength(1);
  });

  test.each(['FAILED', 'EXPIRED', 'VOIDED', 'REFUNDED'])(
    'that the gateway calls %s hold their order up, because they may be paid after all',
    async (status) => {
      const reference = newReference();
      books.known.set(`${reference}_1`, answer(cardAnswer({ status })));
      await notify(`${reference}_1`);
      const session = await client.createSession({ reference });
      expect(problemOf(expectStatus(await client.payCard(session), 409)).code).toBe('outcome-unknown');
      books.known.set(`${reference}_1`, answer(approved));
      expect(problemOf(expectStatus(await client.payCard(session), 409)).code).toBe('session-paid');
      expect(books.charged()).toEqual([]);
    },
  );

  test('that nobody decides hold no order up that another one of them paid', async () => {
    const reference = newReference();
    books.known.set(`${reference}_1`, answer(approved));
    books.known.set(`${reference}_2`, answer({}, 500));
    for (const n of [1, 2]) await notify(`${reference}_${n}`);
    expect(problemOf(await pay(reference)).code).toBe('session-paid');
    const { body } = await client.get<{ data: { reference: string }[] }>('/v1/held-references?limit=100');
    expect(body.data.map((held) => held.reference)).not.toContain(reference);
  });

  test('and more of them than a start may ask about are asked about by the next ones', async () => {
    const reference = newReference();
    for (let n = 1; n <= 25; n++) await notify(`${reference}_${n}`);
    const answers: number[] = [];
    for (let tries = 0; tries < 5 && answers.at(-1) !== 201; tries++) {
      books.gateway.forget();
      answers.push((await pay(`${reference}`).catch(() => ({ status: 0 }))).status);
      const asked = books.gateway.requests.filter(({ path }) => !path.startsWith('/payment/card'));
      expect(asked.length).toBeLessThanOrEqual(20);
      if (answers.at(-1) === 201) break;
      const [session] = (
        await client.get<{ data: SessionBody[] }>(`/v1/checkout-sessions?reference=${reference}`)
      ).body.data;
      expectStatus(await client.post(`/v1/checkout-sessions/${session?.id ?? ''}/close`), 200);
    }
    expect(answers).toEqual([409, 409, 201]);
    expect(books.charged()).toEqual([`${reference}_26`]);
  });

  test('are held where the gateway does not say, until it does or a person releases them', async () => {
    const [late, released] = [newReference(), newReference()];
    for (const reference of [late, released]) {
      books.known.set(`${reference}_1`, answer({}, 500));
      await notify(`${reference}_1`);
    }
    const [one, other] = [
      await client.createSession({ reference: late }),
      await client.createSession({ reference: released }),
    ];
    for (const session of [one, other])
      expect(problemOf(expectStatus(await client.payCard(session), 409)).code).toBe('outcome-unknown');
    const listed = (): Promise<Answer<{ data: { reference: string; names: object[] }[] }>> =>
      client.get('/v1/held-references?limit=100');
    const held = (await listed()).body.data.filter(({ reference }) => [late, released].includes(reference));
    expect(held).toHaveLength(2);
    expect(held[0]?.names).toMatchObject([{ source: 'notification', releasedAt: null }]);
    const metrics = async (): Promise<string> => (await fetch(`${tillfront.url}/metrics`)).text();
    await until(async () => /^tillfront_held_references 2$/m.test(await metrics()));
    // It says by now that it was paid.
    books.known.set(`${late}_1`, answer(approved));
    expect(problemOf(await client.payCard(one)).code).toBe('session-paid');
    const path = `/v1/held-references/${released}/release`;
    const note = { note: 'Not at the gateway: its dashboard of today.' };
    const key = { idempotencyKey: `release-${released}` };
    expectStatus(await client.post(path, note, key), 200);
    expect((await client.post(path, note, key)).headers.get('idempotency-replayed')).toBe('true');
    expect(problemOf(await client.post(path, note)).code).toBe('invalid-state');
    expect(problemOf(await client.post('/v1/held-references/NONE/release', note)).code).toBe('not-found');
    // Who released it did not know what the gateway says later.
    await notify(`${released}_1`);
    expect(problemOf(await client.payCard(other)).code).toBe('outcome-unknown');
    expectStatus(await client.post(path, note), 200);
    expect((await client.payCard(other)).status).toBe(201);
    expect(books.charged()).toEqual([`${released}_2`]);
    expect((await listed()).body.data).toEqual([]);
    const audit = await client.get<{ data: object[] }>('/v1/audit?limit=100');
    expect(audit.body.data).toContainEqual(
      expect.objectContaining({ action: 'release', object: null, outcome: 'ok' }),
    );
  });

  test('are not charged again while a report is taken over, which asks for many of them at the same time', async () => {
    open(books, { afterMs: 300 });
    const references = Array.from({ length: 90 }, newReference);
    const sessions: SessionBody[] = [];
    for (const reference of references) {
      sessions.push(await client.createSession({ reference }));
      books.known.set(`${reference}_1`, answer(approved));
    }
    const rows = references.map((reference) => reportRow(`${reference}_1`));
    const { id } = expectStatus(await upload(tillfront, '/v1/settlements', report(...rows)), 201).body;
    const [adopted, ...answers] = await Promise.all([
      client.post<SettlementBody>(`/v1/settlements/${id}/adopt`),
      ...sessions.map((session) => client.payCard(session)),
    ]);
    // Those that come while others are asked about wait their turn, or try again; a busy machine turns some away.
    const refusals = ['session-paid', 'outcome-unknown', 'overloaded'];
    expect(Object.keys(outcomes(answers)).filter((outcome) => !refusals.includes(outcome))).toEqual([]);
    expect(books.charged()).toEqual([]);
    expect(adopted.body.adoption).toMatchObject({ waiting: 0, adoptedOnWord: 0 });
  });

  test('of an order that is paid are asked about all the same: a second one is a duplicate, announced as one', async () => {
    const [twice, once] = [newReference(), newReference()];
    for (const reference of [twice, once]) expect((await pay(reference)).status).toBe(201);
    books.known.set(`${twice}_2`, answer(approved));
    for (const reference of [twice, once]) await notify(`${reference}_2`);
    await until(async () => (await client.paymentsOf(twice)).length === 2, 30_000);
    const [duplicate, first] = await client.paymentsOf(twice);
    expect(duplicate).toMatchObject({ gatewayReference: `${twice}_2`, duplicateOf: first?.id });
    const told = () => eventsOf({ client }, { id: duplicate?.id ?? '' });
    await until(async () => (await told()).length > 0);
    expect((await told()).map(({ type }) => type)).toEqual(['payment.duplicate']);
    // The denied one is let go with the one after it: nothing is left to ask about.
    await until(() => questionsAbout(once) === 2, 30_000);
    expect(await client.paymentsOf(once)).toHaveLength(1);
  });

  test('are found out about by a gateway that takes long for each answer', async () => {
    open(books, { afterMs: 2_600 });
    const reference = newReference();
    for (const n of [1, 2, 3]) await notify(`${reference}_${n}`);
    const session = await client.createSession({ reference });
    const answers: number[] = [];
    // Two questions one after the other: the named ones, and the one after them. The second is heard after the start gave up.
    await until(async () => {
      answers.push((await client.payCard(session)).status);
      return answers.at(-1) === 201;
    }, 40_000);
    expect(answers[0]).toBe(409);
    expect(books.charged()).toEqual([`${reference}_4`]);
    expect(questionsAbout(reference)).toBe(4);
  });

  test.each([
    ['amount', { amount: '9.00', currency: 'NGN' }],
    ['currency', { amount: '1500.00', currency: 'USD' }],
  ])('that were paid in another %s than their order’s need a person', async (_, money) => {
    const reference = newReference();
    books.known.set(`${reference}_1`, answer(cardAnswer({ status: 'SUCCESS', ...money })));
    await notify(`${reference}_1`);
    expect(problemOf(await pay(reference)).code).toBe('session-paid');
    const attention = { needsAttention: true, attentionReasons: ['adopted_other_amount'] };
    const [payment] = await client.paymentsOf(reference);
    expect(payment).toMatchObject({ status: 'succeeded', ...money, ...attention });
    const told = () => eventsOf({ client }, { id: payment?.id ?? '' });
    await until(async () => (await told()).length > 1);
    expect(await told()).toMatchObject([
      { type: 'payment.succeeded', data: attention },
      { type: 'payment.needs_attention', data: attention },
    ]);
    // That the gateway says it again settles nothing.
    const asked = await client.post<PaymentBody>(`/v1/payments/${payment?.id ?? ''}/refresh`);
    expect(asked.body).toMatchObject(attention);
  });

  test('that are named again while the gateway denies them are asked about again', async () => {
    const reference = newReference();
    books.gateway.script(`GET /transaction/${reference}_1`, async () => {
      if (questionsAbout(reference) > 1) return answer(approved);
      await notify(`${reference}_1`);
      return answer(notFoundAnswer);
    });
    await notify(`${reference}_1`);
    expect(problemOf(await pay(reference)).code).toBe('session-paid');
    expect(books.charged()).toEqual([]);
  });

  test('that a gateway refuses as used have an unknown outcome, and are followed', async () => {
    const refusal = cardAnswer({}, { error: true, message: 'Used before', errorCode: 'DUPLICATE' });
    for (const status of [200, 400, 409, 422]) {
      const reference = newReference();
      books.known.set(`${reference}_1`, answer(approved));
      books.gateway.script(CARD, answer(refusal, status));
      const session = await client.createSession({ reference });
      const { body } = expectStatus(await client.payCard(session), 202);
      await client.waitForStatus(body.id, 'succeeded');
      expect(problemOf(await client.payCard(session)).code).toBe('session-paid');
      expect(books.charged()).toEqual([`${reference}_1`]);
      books.gateway.forget();
    }
  });
});

test('payments that anybody may have named hold up no order, and fill no row', async () => {
  const books = await startBooks();
  open(books);
  const store = await createTestStore('embedded');
  const tillfront = await startTillfront({
    ...{ store, gatewayUrl: books.gateway.url },
    env: { RATE_LIMIT_PER_MINUTE: '0' },
  });
  const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  const notify = async (reference: string): Promise<void> => {
    const { status } = await fetch(`${tillfront.url}/v1/gateway/notifications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_ref: reference, status: 'SUCCESS' }),
    });
    expect(status).toBe(200);
  };
  const [flooded, far, paid, nobodys] = [newReference(), newReference(), newReference(), newReference()];
  try {
    const sessions: SessionBody[] = [];
    for (const reference of [flooded, far, paid]) sessions.push(await client.createSession({ reference }));
    books.known.set(`${paid}_1`, answer(approved));
    await notify(`${nobodys}_1`);
    await notify(`${paid}_1`);
    await notify(`${far}_4`);
    for (let n = 1; n <= 30; n++) await notify(`${flooded}_${n}`);
    const answers = [];
    for (const session of sessions) answers.push(await client.payCard(session));
    expect(outcomes(answers)).toEqual({ '201': 2, 'session-paid': 1 });
    expect(books.charged()).toEqual([`${flooded}_4`, `${far}_1`]);
  } finally {
    await tillfront.stop();
    const rows = await storedRows({ tillfront }, 'select reference from payment_references');
    expect(rows.map(({ reference }) => reference)).not.toContain(nobodys);
    await store.dispose();
    await books.gateway.close();
  }
});

test('no payment starts while new ones are held, and everything else works', async () => {
  const books = await startBooks();
  open(books);
  const store = await createTestStore('embedded');
  const start = (more: object): Promise<Tillfront> =>
    startTillfront({ store, gatewayUrl: books.gateway.url, env: { ...env, ...more } });
  let tillfront = await start({});
  const clientOf = ({ url, merchantKey }: Tillfront): TillfrontClient =>
    new TillfrontClient(url, merchantKey);
  try {
    const [paid, waiting] = [
      await clientOf(tillfront).createSession(),
      await clientOf(tillfront).createSession(),
    ];
    const key = { idempotencyKey: 'made-before' };
    const { body: payment } = expectStatus(await clientOf(tillfront).payCard(paid, {}, key), 201);
    await tillfront.stop();
    tillfront = await start({ HOLD_NEW_PAYMENTS: 'true' });
    const client = clientOf(tillfront);
    const refused = await client.payCard(waiting, {}, { idempotencyKey: 'held' });
    expect([refused.status, problemOf(refused).code, refused.headers.get('retry-after')]).toEqual([
      503,
      'payments-held',
      '60',
    ]);
    expect(await client.paymentsOf(waiting.reference)).toEqual([]);
    expect((await fetch(`${tillfront.url}/health/ready`)).status).toBe(200);
    expectStatus(await client.payCard(paid, {}, key), 200);
    expectStatus(await client.post(`/v1/payments/${payment.id}/refresh`), 200);
    expect(books.charged()).toEqual([payment.gatewayReference]);
    await tillfront.stop();
    tillfront = await start({});
    expectStatus(await clientOf(tillfront).payCard(waiting, {}, { idempotencyKey: 'held' }), 201);
  } finally {
    await tillfront.stop();
    await store.dispose();
    await books.gateway.close();
  }
});

describe.each(stores)('after an accepted loss on the %s store', (kind) => {
  let store: TestStore;
  let books: Books;
  let tillfront: Tillfront;

  beforeEach(async () => {
    store = await createTestStore(kind);
    books = await startBooks();
    open(books);
    tillfront = await startTillfront({ store, gatewayUrl: books.gateway.url, env });
  });
  afterEach(async () => {
    await tillfront.stop();
    await store.dispose();
    await books.gateway.close();
  });

  const inStore = (...command: string[]) =>
    runCli(['store', ...command], {
      DATA_DIR: store.dataDir,
      DATABASE_URL: store.databaseUrl,
      GATEWAY_BASE_URL: books.gateway.url,
      PUBLIC_BASE_URL: 'http://127.0.0.1:3000',
      GATEWAY_API_KEY: testKeys.apiKey,
      GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
    });
  const isReady = async (): Promise<boolean> =>
    (await fetch(`${tillfront.url}/health/ready`).catch(() => undefined))?.ok === true;

  test('no named order is charged again', async () => {
    const client = (): TillfrontClient => new TillfrontClient(tillfront.url, tillfront.merchantKey);
    const lost = Array.from({ length: 20 }, newReference);
    const [never, third, late] = [newReference(), newReference(), newReference()];
    for (const reference of lost) books.known.set(`${reference}_1`, answer(approved));
    books.known.set(`${third}_1`, answer(cardAnswer({ status: 'FAILED' })));
    books.known.set(`${third}_3`, answer(approved));
    // Here it was declined. That it was paid after all is lost.
    books.gateway.script(CARD, answer(declined));
    const declinedBefore = await client().createSession({ reference: late });
    const closed = expectStatus(await client().payCard(declinedBefore), 201);
    expect(closed.body.status).toBe('failed');
    open(books);
    for (const reference of lost) books.known.set(`${reference}_1`, answer(approved));
    books.known.set(`${third}_1`, answer(cardAnswer({ status: 'FAILED' })));
    books.known.set(`${third}_3`, answer(approved));
    books.known.set(`${late}_1`, answer(approved));
    const missing = [
      ...lost.map((reference) => ({ reference, version: 3, attempts: 1 })),
      { reference: never, version: 3, attempts: 1 },
      { reference: third, version: 9, attempts: 3 },
      { reference: late, version: 90, attempts: 1 },
    ];
    if (kind === 'embedded') await tillfront.stop();
    const detail = JSON.stringify({ missing, known: null, found: null, epoch: 0 });
    await storedRows(
      { tillfront },
      `insert into store_losses (id, found_at, found_by, detail) values ('loss_1', 1, 'own_other', '${detail}')`,
    );
    if (kind === 'postgres') await until(async () => !(await isReady()));
    expect((await inStore('accept-loss')).code).toBe(0);
    if (kind === 'embedded') tillfront = await startTillfront({ store, gatewayUrl: books.gateway.url, env });
    else await until(isReady);
    const pay = async (reference: string): Promise<Answer<PaymentBody>> => {
      return client().payCard(await client().createSession({ reference }));
    };
    const answers = await Promise.all([...[...lost, third].map(pay), client().payCard(declinedBefore)]);
    expect(outcomes(answers)).toEqual({ 'session-paid': 22 });
    expect(books.charged()).toEqual([]);
    expect(await client().paymentsOf(third)).toMatchObject([{ gatewayReference: `${third}_3` }]);
    expect((await pay(never)).status).toBe(201);
    expect(books.charged()).toEqual([`${never}_2`]);
    if (kind === 'embedded') await tillfront.stop();
    const { stdout } = await inStore('losses', '--json');
    const { losses } = JSON.parse(stdout) as { losses: { missing: string[]; acceptedBy: string }[] };
    expect(losses).toMatchObject([{ missing: [...lost, never, third, late] }]);
    expect(losses[0]?.acceptedBy).toMatch(/^cli:/);
  });
});
