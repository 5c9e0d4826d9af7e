import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DatabaseSync } from 'node:sqlite';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectStatus, problemOf, sessionRequest, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { createEmptyStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { runBuiltCli, runCli } from './run-cli.js';

let sandbox: Sandbox;
let embedded: TestStore;
let postgres: TestStore;
let env: Record<string, string | undefined>;

beforeEach(async () => {
  sandbox = await startTestSandbox();
  embedded = await createEmptyStore('embedded');
  postgres = await createEmptyStore('postgres');
  env = {
    GATEWAY_BASE_URL: sandbox.url,
    GATEWAY_API_KEY: testKeys.apiKey,
    GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
    DATABASE_URL: postgres.databaseUrl,
    DATA_DIR: postgres.dataDir,
  };
});
afterEach(async () => {
  await sandbox?.close();
  await embedded?.dispose();
  await postgres?.dispose();
});

const copy = ['migrate', '--from-embedded'];

test('a store moves to PostgreSQL with all that it knows, and payments go on there', async () => {
  const before = await startTillfront({ store: embedded, gatewayUrl: sandbox.url });
  const shop = new TillfrontClient(before.url, before.merchantKey);
  const session = await shop.createSession({ reference: 'MOVED-1', metadata: { note: 'Ìkòyí "1"\\n' } });
  const paid = expectStatus(await shop.payCard(session), 201).body;
  const open = await shop.createSession({ reference: 'MOVED-2' });
  const waiting = expectStatus(await shop.payWallet(open), 201).body;
  const seen = await Promise.all([paid, waiting].map(({ id }) => story(shop, id)));
  const inUse = await runCli([...copy, embedded.dataDir], env);
  expect([inUse.code, inUse.stderr]).toEqual([4, expect.stringContaining('in use by another process')]);
  await before.stop();

  const copied = await runBuiltCli([...copy, embedded.dataDir, '--json'], env);
  expect([copied.code, copied.stderr]).toEqual([0, '']);
  expect(copied.json()).toMatchObject({
    copied: { payments: 2, checkout_sessions: 2, payment_references: 2 },
  });
  const source = new DatabaseSync(join(embedded.dataDir, 'tillfront.db'), { readOnly: true });
  const tables = source
    .prepare("select name from sqlite_master where type = 'table'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !/^(?:sqlite|kysely|search)_|^(?:meta|leases|store_losses|movement_sums)$/.test(name));
  source.close();
  expect(Object.keys(copied.json<{ copied: object }>().copied).sort()).toEqual(tables.sort());

  const after = await startTillfront({ store: postgres, gatewayUrl: sandbox.url });
  try {
    const again = new TillfrontClient(after.url, after.merchantKey);
    expect(await Promise.all([paid, waiting].map(({ id }) => story(again, id)))).toEqual(seen);
    // The order is paid: nothing takes money for it again.
    const secondTime = await again.post('/v1/checkout-sessions', sessionRequest({ reference: 'MOVED-1' }));
    expect(problemOf(secondTime)).toMatchObject({ status: 409 });
    expectStatus(await again.payCard(await again.createSession({ reference: 'NEW-1' })), 201);
  } finally {
    await after.stop();
  }

  const { databaseUrl: _, ...former } = embedded;
  const stale = startTillfront({ store: former, gatewayUrl: sandbox.url });
  await expect(stale).rejects.toThrow('The payments of this data directory are in PostgreSQL');

  const twice = await runCli([...copy, embedded.dataDir], env);
  expect([twice.code, twice.stderr]).toEqual([4, expect.stringContaining('The database is not empty')]);
});

async function story(client: TillfrontClient, id: string): Promise<unknown> {
  // The gateway may have been asked in the meantime.
  const { updatedAt: _, ...payment } = await client.getPayment(id);
  return { payment, timeline: await client.getEvents(id) };
}

test('a store that has forgotten what it had confirmed is refused, until a person knows', async () => {
  const file = join(embedded.dataDir, 'tillfront.db');
  const older = join(embedded.dataDir, 'older.db');
  for (const keep of [true, false]) {
    const till = await startTillfront({ store: embedded, gatewayUrl: sandbox.url });
    const shop = new TillfrontClient(till.url, till.merchantKey);
    expectStatus(await shop.payCard(await shop.createSession()), 201);
    await till.stop();
    if (keep) copyFileSync(file, older);
  }
  copyFileSync(older, file);
  for (let time = 0; time < 2; time += 1) {
    const refused = await runCli([...copy, embedded.dataDir], env);
    expect([refused.code, refused.stderr]).toEqual([
      4,
      expect.stringMatching(
        /has forgotten what it had confirmed: it ends at \S+, and had reached .*accept-loss/,
      ),
    ]);
  }
  const there = { ...env, DATABASE_URL: undefined, DATA_DIR: embedded.dataDir };
  expect((await runCli(['store', 'accept-loss'], there)).code).toBe(0);
  const copied = await runCli([...copy, embedded.dataDir, '--json'], env);
  expect([copied.code, copied.json()]).toMatchObject([0, { copied: { payments: 1 } }]);
});

test('it says what it needs', async () => {
  await runCli(['migrate'], { ...env, DATABASE_URL: undefined, DATA_DIR: embedded.dataDir });
  const failures = {
    noDatabase: await runCli([...copy, embedded.dataDir], { ...env, DATABASE_URL: undefined }),
    noStore: await runCli([...copy, postgres.dataDir], env),
    ofAnotherGateway: await runCli([...copy, embedded.dataDir], {
      ...env,
      GATEWAY_BASE_URL: 'https://other.example',
    }),
    withCheck: await runCli([...copy, embedded.dataDir, '--check'], env),
  };
  expect(Object.fromEntries(Object.entries(failures).map(([name, { code }]) => [name, code]))).toEqual({
    noDatabase: 4,
    noStore: 4,
    ofAnotherGateway: 4,
    withCheck: 2,
  });
  expect(failures.noDatabase.stderr).toContain('Set DATABASE_URL');
  expect(failures.noStore.stderr).toContain('There is no embedded store');
  expect(failures.ofAnotherGateway.stderr).toContain('belongs to the gateway');
});
