import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Sandbox } from '../../sandbox/server.ts';
import { runCli } from '../cli/run-cli.js';
import {
  newReference,
  problemOf,
  sessionRequest,
  TillfrontClient,
  type PaymentBody,
} from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import type { TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startPostgresPair, type PostgresPair } from '../setup/postgres-pair.ts';
import { service } from '../setup/service.js';
import { TcpProxy } from './tcp-proxy.ts';

/** A failover of PostgreSQL: to a standby that has everything, to one that is behind, and no failover but a refusal of writes. */

/** A busy machine takes its time to promote a server. */
const PATIENCE_MS = 90_000;

let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  // Built here, since a test's own time is for what it tests.
  await service('build');
  sandbox = await startTestSandbox();
  folder = await mkdtemp(join(tmpdir(), 'tillfront-test-failover-'));
}, 300_000);
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/** Two replicas, and the address by which they find the database. */
interface Scene {
  pair: PostgresPair;
  line: TcpProxy;
  /** The server behind the address. */
  switchTo: (server: 'primary' | 'standby') => void;
  tills: Tillfront[];
  start: (name: string, startsWhen?: 'live') => Promise<Tillfront>;
  end: () => Promise<void>;
  env: Record<string, string>;
}

async function startScene(options: { synchronous: boolean }): Promise<Scene> {
  const pair = await startPostgresPair(options);
  let target: 'primary' | 'standby' = 'primary';
  const line = new TcpProxy(() => ({ host: '127.0.0.1', port: pair[target].port }));
  await line.start();
  const url = new URL(pair.primary.url);
  url.port = String(line.port);
  const tills: Tillfront[] = [];
  const start = async (name: string, startsWhen: 'ready' | 'live' = 'ready'): Promise<Tillfront> => {
    const dataDir = await mkdtemp(join(folder, `${name}-`));
    const store: TestStore = {
      kind: 'postgres',
      dataDir,
      databaseUrl: url.href,
      dispose: () => Promise.resolve(),
    };
    const till = await startTillfront({ store, gatewayUrl: sandbox.url, startsWhen });
    tills.push(till);
    return till;
  };
  return {
    pair,
    line,
    tills,
    start,
    switchTo: (server) => {
      target = server;
      line.cut();
    },
    end: async () => {
      await Promise.all(tills.map((till) => till.kill()));
      await line.stop();
      await pair.stop();
    },
    env: {
      GATEWAY_BASE_URL: sandbox.url,
      GATEWAY_API_KEY: testKeys.apiKey,
      GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
      DATABASE_URL: url.href,
    },
  };
}

const clientOf = (till: Tillfront): TillfrontClient => new TillfrontClient(till.url, till.merchantKey);

async function readiness(till: Tillfront): Promise<{ status: number; detail?: string }> {
  const answer = await fetch(`${till.url}/health/ready`);
  const body = (await answer.json()) as { detail?: string };
  return { status: answer.status, ...(body.detail !== undefined && { detail: body.detail }) };
}

const isReady = async (till: Tillfront): Promise<boolean> => (await readiness(till)).status === 200;

/** Buyers are cut off amid their calls, each at most once by the failover. */
const BUYERS = 6;
/** The problem of a payment whose intent nobody confirmed: it was not sent, and its buyer pays anew. */
const NOT_SENT = 'gateway-unavailable';

/** Buys until the end: a session, then a card payment, each repeated under its key until it is answered. */
async function buy(
  tills: readonly Tillfront[],
  answered: Map<string, PaymentBody>,
  more: () => boolean,
): Promise<void> {
  for (let turn = 0; more(); turn++) {
    const reference = newReference();
    const client = (): TillfrontClient => clientOf(tills[turn++ % tills.length] as Tillfront);
    const body = sessionRequest({ reference });
    const session = await repeated<{ clientToken: string }>(() =>
      client().post('/v1/checkout-sessions', body, { idempotencyKey: reference }),
    );
    let tries = 0;
    const payment = await repeated<PaymentBody>(
      () => client().payCard(session, {}, { idempotencyKey: `${reference}-pay-${tries}` }),
      () => (tries += 1),
    );
    answered.set(reference, payment);
  }
}

interface Answered {
  status: number;
  body: unknown;
  text: string;
}

/** Calls until there is an answer; `anew` is told of the one after which a call must have another key. */
async function repeated<T>(call: () => Promise<Answered>, anew: () => void = () => undefined): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ;) {
    const answer = await call().catch(() => undefined);
    if (answer && answer.status < 300) return answer.body as T;
    if (answer && ![409, 503].includes(answer.status)) throw new Error(`${answer.status} ${answer.text}`);
    if (answer?.text.includes(`"${NOT_SENT}"`) === true) anew();
    if (Date.now() > end) throw new Error(`no answer in ${PATIENCE_MS} ms: ${answer?.text ?? 'none'}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Every payment that was answered is there, paid once. The standby may have the commit of an intent of which the primary told nobody:
 * such a payment was never sent, and is closed.
 */
async function expectWhole(till: Tillfront, answered: ReadonlyMap<string, PaymentBody>): Promise<void> {
  const client = clientOf(till);
  let unsent = 0;
  for (const [reference, { id }] of answered) {
    await client.waitForStatus(id, ['succeeded', 'failed']);
    const payments = await client.paymentsOf(reference);
    expect(payments.map((payment) => payment.id)).toContain(id);
    for (const { status, failure, gatewayReference } of payments) {
      const calls = sandbox.recorder.calls(gatewayReference)['payCard'];
      const charged = sandbox.ledger.chargedMinor(gatewayReference);
      if (status === 'succeeded') expect([calls, charged]).toEqual([1, 150_000n]);
      else expect([failure?.code, calls, charged]).toEqual(['gateway_unavailable', undefined, 0n]);
      if (status === 'failed') unsent += 1;
    }
    expect(payments.filter(({ status }) => status === 'succeeded').length).toBeLessThanOrEqual(1);
  }
  expect(unsent).toBeLessThanOrEqual(BUYERS);
}

describe('with a synchronous standby', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene({ synchronous: true });
    await scene.start('a');
    await scene.start('b');
  });
  afterAll(() => scene.end());

  test('a primary that takes no writes for a while: not ready and says so, then ready at once', async () => {
    const { pair, tills } = scene;
    const [till] = tills as [Tillfront];
    const session = await clientOf(till).createSession();
    await pair.primary.query('alter system set default_transaction_read_only = on');
    await pair.primary.query('select pg_reload_conf()');
    await until(async () => (await readiness(till)).detail?.includes('takes no writes') === true);
    expect((await clientOf(till).payCard(session)).status).toBe(503);
    await pair.primary.query('alter system reset default_transaction_read_only');
    await pair.primary.query('select pg_reload_conf()');
    await until(() => isReady(till));
    expect((await clientOf(till).payCard(session)).body.status).toBe('succeeded');
  });

  test('the primary dies under load, the standby is promoted: nothing lost, nothing doubled, soon answers again', async () => {
    const { pair, tills } = scene;
    const answered = new Map<string, PaymentBody>();
    let going = true;
    const buyers = Array.from({ length: BUYERS }, () => buy(tills, answered, () => going));
    await until(() => answered.size >= 20);
    await pair.primary.crash();
    const before = answered.size;
    await pair.promote();
    scene.switchTo('standby');
    await until(() => answered.size >= before + 20);
    going = false;
    await Promise.all(buyers);
    for (const till of tills) await until(() => isReady(till));
    await expectWhole(tills[0] as Tillfront, answered);
    for (const till of tills) {
      await until(() => till.logs().includes('"event":"store.usable","moved":true,"lossAccepted":false'));
    }
  });
});

describe('with a standby that is behind', () => {
  let scene: Scene;
  const lost = newReference();
  beforeAll(async () => {
    scene = await startScene({ synchronous: false });
    await scene.start('a');
    await scene.start('b');
  });
  afterAll(() => scene.end());

  test('what was forgotten is named, and no payment is taken until a person says that they know', async () => {
    const { pair, tills } = scene;
    const [one, other] = tills as [Tillfront, Tillfront];
    const kept = (await clientOf(one).payCard(await clientOf(one).createSession())).body;
    await pair.caughtUp();
    await pair.detach();
    const others = Array.from({ length: 19 }, newReference);
    for (const reference of [...others, lost]) {
      const session = await clientOf(one).createSession({ reference });
      expect((await clientOf(one).payCard(session)).body.status).toBe('succeeded');
    }
    await pair.primary.crash();
    await pair.promote();
    scene.switchTo('standby');

    await until(async () => (await readiness(one)).detail?.includes(lost) === true);
    // The other one has lost nothing of its own, and hears of it.
    await until(async () => (await readiness(other)).detail?.includes('forgotten') === true);
    for (const till of tills) {
      const body = { reference: lost, amount: '1500.00', currency: 'NGN' };
      expect((await clientOf(till).post('/v1/checkout-sessions', body)).status).toBe(503);
      expect(await (await fetch(`${till.url}/metrics`)).text()).toContain('tillfront_store_loss 1');
    }
    // Restarted processes know it too.
    await other.kill();
    const third = await scene.start('c', 'live');
    await until(async () => (await readiness(third)).detail?.includes('forgotten') === true);

    const accepted = await runCli(['store', 'accept-loss', '--json'], scene.env);
    expect(accepted.json()).toMatchObject({ accepted: [{ missing: expect.arrayContaining([lost]) }] });
    for (const till of [one, third]) await until(() => isReady(till));
    // At once, at whichever replica: the gateway has their money, and takes no more of it.
    const refused = await Promise.all(
      [...others, lost].map(async (reference, turn) => {
        const client = clientOf(turn % 2 === 0 ? one : third);
        return problemOf(await client.payCard(await client.createSession({ reference }))).code;
      }),
    );
    expect(refused).toEqual(Array.from({ length: 20 }, () => 'session-paid'));
    for (const reference of [...others, lost]) {
      const charges = sandbox.ledger
        .entries()
        .filter(({ clientRef, kind }) => kind === 'charge' && clientRef.startsWith(`${reference}_`));
      expect(charges).toHaveLength(1);
    }
    const again = await runCli(['store', 'accept-loss', '--json'], scene.env);
    expect([again.code, again.json()]).toEqual([0, { accepted: [] }]);
    expect((await clientOf(one).getPayment(kept.id)).status).toBe('succeeded');
    expect((await clientOf(one).payCard(await clientOf(one).createSession())).body.status).toBe('succeeded');
  });
});
