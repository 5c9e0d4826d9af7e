import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Sandbox } from '../../sandbox/server.ts';
import { TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import {
  createEmptyStore,
  createTestStore,
  stores,
  type StoreKind,
  type TestStore,
} from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { storedRows } from '../truth/stored-time.js';
import { freePort } from '../setup/free-port.js';
import { runCli } from './run-cli.js';

interface Finding {
  check: string;
  level: 'ok' | 'warning' | 'problem';
  message: string;
  remedy?: string;
}

let sandbox: Sandbox;
let store: TestStore;
let tillfront: Tillfront | undefined;
let serviceUrl: string;

beforeAll(async () => void (sandbox = await startTestSandbox()));
afterAll(() => sandbox?.close());

async function begin(kind: StoreKind): Promise<void> {
  store = await createTestStore(kind);
  serviceUrl = `http://127.0.0.1:${await freePort()}`;
}
async function start(env: Record<string, string> = {}): Promise<Tillfront> {
  tillfront = await startTillfront({ store, gatewayUrl: sandbox.url, env });
  serviceUrl = tillfront.url;
  return tillfront;
}
afterEach(async () => {
  await tillfront?.stop();
  tillfront = undefined;
  await store.dispose();
});

/** Every file of the data directory, and what is in it where no service writes. */
const files = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(store.dataDir)
      .filter((name) => !tillfront || !name.includes('witness'))
      .map((name) => [name, tillfront ? '' : digest(readFileSync(join(store.dataDir, name)))]),
  );
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What the doctor finds. It must not have written anything. */
async function examine(
  ...options: string[]
): Promise<{ code: number | null; problems: string[]; remedies: string; of: (check: string) => Finding[] }> {
  const before = store.kind === 'embedded' ? files() : {};
  const finished = await runCli(['doctor', '--json', ...options], {
    GATEWAY_BASE_URL: sandbox.url,
    GATEWAY_API_KEY: testKeys.apiKey,
    GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
    MERCHANT_API_KEY: testKeys.merchant,
    SECRET_KEY: testKeys.secretKey,
    ALLOWED_ORIGINS: 'https://shop.example',
    DATA_DIR: store.dataDir,
    DATABASE_URL: store.databaseUrl,
    TILLFRONT_URL: serviceUrl,
  });
  if (store.kind === 'embedded') expect(files()).toEqual(before);
  const { findings } = finished.json<{ findings: Finding[] }>();
  const wrong = findings.filter(({ level }) => level === 'problem');
  return {
    code: finished.code,
    problems: wrong.map(({ check }) => check).toSorted(),
    remedies: wrong.map(({ remedy }) => remedy).join('\n'),
    of: (check) => findings.filter((finding) => finding.check === check),
  };
}

const file = (suffix = ''): string => join(store.dataDir, `tillfront.db${suffix}`);
const aside = (suffix = ''): string => join(store.dataDir, `aside${suffix}`);

describe('the embedded store', () => {
  beforeEach(() => begin('embedded'));

  test('a ready service is nothing to complain of; one that is stopped is, unless only the configuration is asked for', async () => {
    await start();
    const well = await examine();
    expect([well.code, well.problems]).toEqual([0, []]);
    expect(well.of('service.ready')).toEqual([expect.objectContaining({ level: 'ok' })]);
    await tillfront?.stop();
    tillfront = undefined;
    const stopped = await examine();
    expect([stopped.code, stopped.problems]).toEqual([1, ['service']]);
    expect((await examine('--offline')).code).toBe(0);
  });

  test.each([
    ['the database', ''],
    ['its log', '-wal'],
  ])('%s was moved away under the service: put it back, and never a restore', async (_what, suffix) => {
    await start();
    renameSync(file(suffix), aside());
    const moved = await examine();
    expect(moved.code).toBe(1);
    expect(moved.problems).toEqual(['service.ready', 'store.file']);
    expect(moved.of('store.file')[0]?.message).toContain(
      `tillfront.db${suffix} is not there, and a process uses`,
    );
    expect(moved.of('service.ready')[0]?.message).toContain('replaced or removed');
    expect(moved.remedies).toMatch(/Put it back/);
    expect(moved.remedies).not.toMatch(/Restore/);
    expect((await examine('--offline')).problems).toEqual(['store.file']);
    renameSync(aside(), file(suffix));
    expect((await examine()).problems).toEqual([]);
  });

  test.each([
    ['the database', ''],
    ['its log', '-wal'],
  ])(
    '%s was moved away after the process was killed: no start makes a new one, and it is put back',
    async (_what, suffix) => {
      const { url, merchantKey } = await start();
      const shop = new TillfrontClient(url, merchantKey);
      const { id } = await shop.createSession();
      await until(() => readdirSync(store.dataDir).includes('embedded-witness.json'));
      await tillfront?.kill();
      renameSync(file(suffix), aside());
      const moved = await examine('--offline');
      expect(moved.problems).toEqual(['store.file']);
      expect(moved.remedies).toMatch(/Put it back/);
      await expect(start()).rejects.toThrow(/was moved or removed\. Put it back/);
      renameSync(aside(), file(suffix));
      expect((await examine('--offline')).problems).toEqual([]);
      const later = await start();
      const again = new TillfrontClient(later.url, later.merchantKey);
      expect((await again.call('GET', `/v1/checkout-sessions/${id}`)).status).toBe(200);
    },
  );

  test('a loss that nobody has accepted', async () => {
    const first = await start();
    await first.stop();
    copyFileSync(file(), aside());
    const { url, merchantKey } = await start();
    await new TillfrontClient(url, merchantKey).createSession();
    await tillfront?.stop();
    tillfront = undefined;
    rmSync(file());
    renameSync(aside(), file());
    const lost = await examine('--offline');
    expect(lost.problems).toEqual(['store.loss']);
    expect(lost.of('store.loss')[0]?.message).toMatch(
      /^The embedded store has forgotten .* and had reached /,
    );
    expect(lost.remedies).toContain('accept-loss');
  });

  test('an older version that still answers after an upgrade that stops the service', async () => {
    const old: Server = createServer((request, response) => {
      const ready = request.url === '/health/ready';
      response.end(
        JSON.stringify(ready ? { status: 'ready' } : { info: { title: 'Tillfront', version: '0.1.0' } }),
      );
    });
    await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
    serviceUrl = `http://127.0.0.1:${(old.address() as AddressInfo).port}`;
    const found = await examine();
    expect(found.problems).toEqual(['service']);
    expect(found.remedies).toMatch(/every process of the older version must stop/);
    await new Promise((resolve) => old.close(resolve));
  });

  test('a readiness that cannot be read is no good sign', async () => {
    await start({ MANAGEMENT_PORT: String(await freePort()) });
    const found = await examine();
    expect(found.problems).toEqual(['service.ready']);
    expect(found.remedies).toContain('MANAGEMENT_PORT');
  });
});

describe('PostgreSQL', () => {
  let database: Client;
  let name: string;

  beforeEach(async () => {
    await begin('postgres');
    database = new Client({ connectionString: store.databaseUrl });
    await database.connect();
    name = new URL(store.databaseUrl ?? '').pathname.slice(1);
  });
  afterEach(() => database.end());

  test('a loss that nobody has accepted, which readiness says too', async () => {
    await start();
    expect((await examine()).problems).toEqual([]);
    await database.query(
      `insert into store_losses (id, found_at, found_by, detail) values ('loss_1', 0, 'own_1', '{"missing":[]}')`,
    );
    await until(async () => (await fetch(`${tillfront?.url ?? ''}/health/ready`)).status === 503);
    const lost = await examine();
    expect([lost.code, lost.problems]).toEqual([1, ['service.ready', 'store.loss']]);
    expect((await examine('--offline')).problems).toEqual(['store.loss']);
  });

  test('commits that only the witness of this machine knows, in a folder that the service has made', async () => {
    rmSync(store.dataDir, { recursive: true });
    const { url, merchantKey } = await start();
    await new TillfrontClient(url, merchantKey).createSession();
    await tillfront?.stop();
    tillfront = undefined;
    await database.query('delete from payment_references');
    expect((await examine('--offline')).problems).toEqual(['store.loss']);
  });

  test('no writes, no room, no folder for the witness', async () => {
    await database.query(`alter database ${name} set default_transaction_read_only = on`);
    expect((await examine('--offline')).of('store.durability')[0]?.message).toMatch(/takes no writes/);
    await database.query(`alter database ${name} set default_transaction_read_only = off`);
    await database.query(`alter database ${name} set temp_file_limit = 0`);
    expect((await examine('--offline')).of('store.space')[0]?.message).toMatch(/53400/);
    await database.query(`alter database ${name} reset temp_file_limit`);
    expect((await examine('--offline')).of('store.space')).toEqual([]);
    expect((await examine('--offline')).of('store.witness')[0]?.level).toBe('ok');
    rmSync(store.dataDir, { recursive: true });
    expect((await examine('--offline')).of('store.witness')[0]).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('would not be seen'),
    });
  });

  test('services of another version on it must stop', async () => {
    expect((await examine('--offline')).of('store.replicas')).toEqual([]);
    const other = new Client({ connectionString: store.databaseUrl, application_name: 'tillfront' });
    await other.connect();
    expect((await examine('--offline')).of('store.replicas')).toEqual([
      expect.objectContaining({ level: 'warning', remedy: expect.stringContaining('must stop') }),
    ]);
    await other.end();
  });

  test('an upgrade that stops the service is named before it is made', async () => {
    const empty = await createEmptyStore('postgres');
    const client = new Client({ connectionString: empty.databaseUrl });
    await client.connect();
    await client.query(`create table kysely_migration (name text, timestamp text);
      insert into kysely_migration values ('0001-initial', '')`);
    const own = store;
    store = empty;
    expect((await examine('--offline')).of('store.schema')[0]?.remedy).toMatch(
      /stop every process of the older version/,
    );
    store = own;
    await client.end();
    await empty.dispose();
  });
});

test.each(stores)('the %s store: a payment that the ledger does not have is named', async (kind) => {
  await begin(kind);
  const { url, merchantKey } = await start();
  const shop = new TillfrontClient(url, merchantKey);
  const { body: payment } = await shop.payCard(await shop.createSession());
  const ledger = async (): Promise<Finding[]> => (await examine('--offline')).of('store.ledger');
  expect(await ledger()).toEqual([expect.objectContaining({ level: 'ok' })]);
  if (tillfront) await storedRows({ tillfront }, `delete from movements where payment_id = '${payment.id}'`);
  expect(await ledger()).toEqual([
    expect.objectContaining({ level: 'problem', message: expect.stringContaining(payment.id) as unknown }),
  ]);
});
