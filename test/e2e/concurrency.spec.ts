import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  expectStatus,
  newReference,
  problemOf,
  sessionRequest,
  TillfrontClient,
  type SessionBody,
} from '../harness/client.js';
import { answer, approved, declined, otpRequired, walletStarted } from '../harness/gateway-answers.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, type StoreKind, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';

/** One live or paid payment for a reference, however many ask at once, and on PostgreSQL whichever replica they ask. */

const settings: [StoreKind, number][] = [
  ['embedded', 1],
  ['postgres', 2],
];

describe.each(settings)('many at once on the %s store with %i process(es)', (kind, processes) => {
  let store: TestStore;
  let gateway: MisbehavingGateway;
  let replicas: Tillfront[];
  let clients: TillfrontClient[];

  beforeAll(async () => {
    store = await createTestStore(kind);
    gateway = await startMisbehavingGateway();
    replicas = [];
    for (let made = 0; made < processes; made++) {
      replicas.push(await startTillfront({ store, gatewayUrl: gateway.url }));
    }
    clients = replicas.map((replica) => new TillfrontClient(replica.url, replica.merchantKey));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await gateway.close();
    await store.dispose();
  });
  beforeEach(() => gateway.forget());

  /** The replicas in turn. */
  function client(turn: number): TillfrontClient {
    return clients[turn % clients.length] as TillfrontClient;
  }

  async function newSession(body: object = {}): Promise<SessionBody> {
    return client(0).createSession(body);
  }

  test('of many payments of a session one goes to the gateway', async () => {
    gateway.script('POST /payment/card', { do: 'answer', body: approved, afterMs: 150 });
    gateway.script('POST /init-partner', walletStarted());
    const session = await newSession();
    const calls = Array.from({ length: 20 }, (_, turn) =>
      turn % 4 === 3 ? client(turn).payWallet(session) : client(turn).payCard(session),
    );
    const answers = await Promise.all(calls);
    const started = answers.filter((one) => one.status === 201);
    expect(started).toHaveLength(1);
    for (const one of answers.filter((other) => other.status !== 201)) {
      expect(one.status).toBe(409);
      const problem = problemOf(one);
      expect(['payment-in-progress', 'session-paid']).toContain(problem.code);
      expect(problem.paymentId).toBe(started[0]?.body.id);
    }
    expect(gateway.requests.filter((request) => request.method === 'POST')).toHaveLength(1);
    expect(await client(0).paymentsOf(session.reference)).toHaveLength(1);
  });

  test('of many sessions for one reference one is made', async () => {
    const reference = newReference();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, turn) =>
        client(turn).post('/v1/checkout-sessions', sessionRequest({ reference })),
      ),
    );
    expect(answers.map((one) => one.status).sort()).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
    for (const one of answers.filter((other) => other.status === 409)) {
      expect(problemOf(one).code).toBe('reference-in-use');
    }
  });

  test('payments of many references go side by side', async () => {
    // The first is only answered when the last has reached the gateway too.
    const { promise: allThere, resolve } = Promise.withResolvers<void>();
    const sessions = await Promise.all(Array.from({ length: 16 }, () => newSession()));
    gateway.script('POST /payment/card', async () => {
      if (gateway.requestsTo('POST /payment/card').length === sessions.length) resolve();
      await allThere;
      return answer(approved);
    });
    const answers = await Promise.all(sessions.map((session, turn) => client(turn).payCard(session)));
    expect(answers.map((one) => one.body.status)).toEqual(sessions.map(() => 'succeeded'));
  });

  test('declined again and again: every try has a reference of its own, in order', async () => {
    gateway.script('POST /payment/card', answer(declined));
    const session = await newSession();
    for (let tries = 0; tries < 5; tries++) {
      await Promise.all([client(0).payCard(session), client(1).payCard(session)]);
    }
    const references = gateway
      .requestsTo('POST /payment/card')
      .map((request) => (request.json as { client_ref: string }).client_ref);
    expect(references).toEqual(references.map((_, index) => `${session.reference}_${index + 1}`));
    expect(new Set(references).size).toBe(references.length);
  });

  test('two orders that are told of one transaction at once are not both paid', async () => {
    for (let pair = 0; pair < 5; pair++) {
      const { promise: bothThere, resolve } = Promise.withResolvers<void>();
      gateway.forget();
      gateway.script('POST /payment/card', async () => {
        if (gateway.requestsTo('POST /payment/card').length === 2) resolve();
        await bothThere;
        return answer({ ...approved, data: { ...approved.data, transactionRef: `SAME-${kind}-${pair}` } });
      });
      const sessions = [await newSession(), await newSession()];
      const answers = await Promise.all(sessions.map((session, turn) => client(turn).payCard(session)));
      expect(answers.map(({ body }) => body.status).sort()).toEqual(['processing', 'succeeded']);
      const [other] = answers.filter(({ body }) => body.status === 'processing');
      expect(await client(0).getPayment(other?.body.id ?? '')).toMatchObject({
        attentionReasons: ['differs'],
      });
    }
  });

  test('what was erased by one process is not sent by another', async () => {
    gateway.script('POST /payment/card', answer(approved));
    const session = await newSession();
    for (const replica of clients)
      expectStatus(await replica.get('/v1/checkout-session', { token: session.clientToken }), 200);
    expectStatus(await client(0).post(`/v1/checkout-sessions/${session.id}/redact`), 200);
    expect(problemOf(await client(1).payCard(session)).code).toBe('validation-failed');
    expect(gateway.requestsTo('POST /payment/card')).toHaveLength(0);
  });

  test('of many one-time codes at once one is sent', async () => {
    gateway.script('POST /payment/card', answer(otpRequired));
    gateway.script('POST /payment/validate-otp', { do: 'answer', body: approved, afterMs: 150 });
    const session = await newSession();
    const { body: payment } = await client(0).payCard(session);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => client(turn).submitOtp(session, payment.id, '123456')),
    );
    expect(answers.filter((one) => one.status === 200)).toHaveLength(1);
    for (const one of answers.filter((other) => other.status !== 200)) {
      expect(one.status).toBe(409);
      expect(['operation-in-progress', 'invalid-state']).toContain(problemOf(one).code);
    }
    expect(gateway.requestsTo('POST /payment/validate-otp')).toHaveLength(1);
    expect(await client(1).getPayment(payment.id)).toMatchObject({ status: 'succeeded' });
  });
});
