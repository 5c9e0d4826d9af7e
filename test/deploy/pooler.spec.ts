import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Sandbox } from '../../sandbox/server.ts';
import { runCli } from '../cli/run-cli.js';
import {
  expectStatus,
  newReference,
  sessionRequest,
  TillfrontClient,
  type PaymentBody,
} from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { createEmptyStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startPgBouncer, type PgBouncer } from '../setup/pgbouncer.ts';
import { service } from '../setup/service.js';

/** Everything through a real PgBouncer in transaction mode, which gives each transaction another server session. */

let sandbox: Sandbox;
let store: TestStore;
let pooler: PgBouncer;
const tills: Tillfront[] = [];

async function start(): Promise<Tillfront> {
  const till = await startTillfront({
    store: { ...store, databaseUrl: pooler.url },
    gatewayUrl: sandbox.url,
    env: { DATABASE_POOLER: 'transaction', MIGRATE_ON_START: 'false', NOT_FOUND_GRACE_SECONDS: '2' },
  });
  tills.push(till);
  return till;
}

beforeAll(async () => {
  // Built here, since a test's own time is for what it tests.
  await service('build');
  sandbox = await startTestSandbox();
  store = await createEmptyStore('postgres');
  pooler = await startPgBouncer(store.databaseUrl ?? '');
}, 300_000);
afterAll(async () => {
  await Promise.all(tills.map((till) => till.kill()));
  await pooler.stop();
  await store.dispose();
  await sandbox.close();
});

const clientOf = (till: Tillfront): TillfrontClient => new TillfrontClient(till.url, till.merchantKey);

/** Repeats a call under its key until it is answered. */
async function answered<T>(call: () => Promise<{ status: number; body: unknown; text: string }>): Promise<T> {
  for (const end = Date.now() + 60_000; ;) {
    const answer = await call().catch(() => undefined);
    if (answer && answer.status < 300) return answer.body as T;
    if (answer && ![409, 503].includes(answer.status)) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const said = tills
        .flatMap((till) => till.logs().split('\n'))
        .filter((line) => line.includes('"error"'));
      throw new Error(`${answer.status} ${answer.text}\n${said.join('\n')}`);
    }
    if (Date.now() > end) throw new Error(answer?.text ?? 'no answer in 60 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('the schema is made, payments of two replicas go on, and a crash of a replica or of the pooler loses nothing', async () => {
  const env = {
    GATEWAY_BASE_URL: sandbox.url,
    GATEWAY_API_KEY: testKeys.apiKey,
    GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
    DATABASE_URL: pooler.url,
    DATABASE_POOLER: 'transaction',
  };
  expect((await runCli(['store', 'migrate'], env)).code).toBe(0);
  await start();
  await start();
  const paid = new Map<string, PaymentBody>();
  const going = { on: true };
  const buyer = async (): Promise<void> => {
    for (let turn = 0; going.on; turn++) {
      const client = (): TillfrontClient => clientOf(tills[turn++ % tills.length] as Tillfront);
      const reference = newReference();
      const session = await answered<{ clientToken: string }>(() =>
        client().post('/v1/checkout-sessions', sessionRequest({ reference }), { idempotencyKey: reference }),
      );
      const payment = await answered<PaymentBody>(() =>
        client().payCard(session, {}, { idempotencyKey: `${reference}-pay` }),
      );
      paid.set(reference, payment);
    }
  };
  const buyers = Array.from({ length: 8 }, buyer);
  await until(() => paid.size >= 20, 60_000);
  await pooler.crash();
  await until(() => paid.size >= 40, 60_000);
  const [killed] = tills.splice(0, 1);
  await killed?.kill();
  await until(() => paid.size >= 60, 60_000);
  going.on = false;
  await Promise.all(buyers);

  const [till] = tills as [Tillfront];
  for (const [reference, { id }] of paid) {
    // A call that the crash cut off before the gateway had it is asked about three times.
    const payment = await clientOf(till).waitForStatus(id, ['succeeded', 'failed'], 90_000);
    expect((await clientOf(till).paymentsOf(reference)).map((found) => found.id)).toEqual([id]);
    const sent = sandbox.recorder.calls(payment.gatewayReference)['payCard'] ?? 0;
    const { status, failure } = payment;
    if (status === 'succeeded') expect([failure, sent]).toEqual([null, 1]);
    else {
      // An intent whose commit got no answer from the pooler is never sent. One whose process died was perhaps sent.
      expect(['gateway_unavailable', 'gateway_never_received']).toContain(failure?.code);
      expect(sent).toBe(0);
    }
  }
  // An event is listed once it has its place among the others.
  await until(async () => {
    const { body } = expectStatus(await clientOf(till).get<{ data: unknown[] }>('/v1/events?limit=100'), 200);
    return body.data.length === 100;
  });
  expect(till.logs()).not.toContain('"event":"framework"');
  expect(till.logs()).not.toContain('prepared statement');
}, 300_000);

test('with so many at once that statements reach the pooler in pieces, none is mixed up', async () => {
  const [till] = tills as [Tillfront];
  const client = clientOf(till);
  const codes: (string | number)[] = [];
  const note = ({ status, body }: { status: number; body: unknown }): boolean => {
    codes.push(status === 201 ? status : (body as { code: string }).code);
    return status === 201;
  };
  const buy = async (): Promise<void> => {
    const reference = newReference();
    const made = await client.post<{ clientToken: string }>(
      '/v1/checkout-sessions',
      sessionRequest({ reference }),
      { idempotencyKey: reference },
    );
    if (note(made)) note(await client.payCard(made.body));
  };
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 120 }, buy));
  // A slow machine may refuse some early.
  expect(new Set(codes.filter((code) => code !== 'overloaded'))).toEqual(new Set([201]));
  expect(codes.filter((code) => code === 201).length).toBeGreaterThan(200);
}, 300_000);
