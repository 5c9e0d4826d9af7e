import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createEmptyStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { runBuiltCli, runCli } from './run-cli.js';

/** All of them, oldest first. */
const MIGRATIONS = readdirSync('src/store/migrations')
  .filter((file) => !file.endsWith('.spec.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();

describe.each(stores)('migrate on the %s store', (kind) => {
  let store: TestStore;
  let gateway: MisbehavingGateway;
  let env: Record<string, string | undefined>;

  beforeEach(async () => {
    [store, gateway] = await Promise.all([createEmptyStore(kind), startMisbehavingGateway()]);
    env = {
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_API_KEY: testKeys.apiKey,
      GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
      DATA_DIR: store.dataDir,
      DATABASE_URL: store.databaseUrl,
    };
  });
  afterEach(async () => {
    await gateway?.close();
    await store?.dispose();
  });

  test('as a job, before a service that must not migrate itself', async () => {
    const before = await runCli(['migrate', '--check', '--json'], env);
    expect(before.code).toBe(1);
    expect(before.json()).toMatchObject({ store: kind, current: false, missing: MIGRATIONS });

    const job = await runBuiltCli(['migrate'], env);
    expect(job).toMatchObject({
      code: 0,
      stdout: `Applied ${MIGRATIONS.join(', ')}. The schema is up to date.\n`,
      stderr: '',
    });
    const again = await runCli(['migrate', '--json'], env);
    expect([again.code, again.json()]).toEqual([0, { store: kind, applied: [], before: MIGRATIONS }]);
    expect((await runCli(['migrate', '--check'], env)).code).toBe(0);

    const tillfront = await startTillfront({
      store,
      gatewayUrl: gateway.url,
      env: { MIGRATE_ON_START: 'false' },
    });
    try {
      if (kind === 'embedded') {
        const { code, stderr } = await runCli(['migrate'], env);
        expect([code, stderr]).toEqual([4, expect.stringContaining('in use by another process')]);
      } else expect((await runCli(['migrate'], env)).code).toBe(0);
    } finally {
      await tillfront.stop();
    }
  });

  test('refuses the store of another gateway', async () => {
    await runCli(['migrate'], env);
    const foreign = { ...env, GATEWAY_BASE_URL: 'https://other.example' };
    expect((await runCli(['migrate', '--json'], foreign)).json()).toMatchObject({
      error: { code: 'store', message: expect.stringContaining('belongs to the gateway') },
    });
  });
});

test('jobs that start at once do not disturb each other', async () => {
  const store = await createEmptyStore('postgres');
  try {
    const env = {
      GATEWAY_BASE_URL: 'https://gateway.example',
      GATEWAY_API_KEY: testKeys.apiKey,
      GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
      DATABASE_URL: store.databaseUrl,
    };
    const codes = await Promise.all([1, 2, 3].map(async () => (await runCli(['migrate'], env)).code));
    expect(codes).toEqual([0, 0, 0]);
  } finally {
    await store.dispose();
  }
});

test('a database that is away is named, and its password is not', async () => {
  const { code, stdout } = await runCli(['migrate', '--json'], {
    GATEWAY_BASE_URL: 'https://gateway.example',
    GATEWAY_API_KEY: testKeys.apiKey,
    GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
    DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:9/none',
  });
  expect(code).toBe(4);
  expect(stdout).toContain('ECONNREFUSED');
  expect(stdout).not.toContain('hunter2');
});
