import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { runCli, type Finished } from './run-cli.js';

let sandbox: Sandbox;
let tillfront: Tillfront;
let client: TillfrontClient;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  tillfront = await startTillfront({ store: 'embedded', gatewayUrl: sandbox.url });
  client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
});
afterAll(async () => {
  await tillfront?.stop();
  await sandbox?.close();
});

const backUp = (file: string, env: Record<string, string> = {}): Promise<Finished> =>
  runCli(['store', 'backup', file, '--json'], {
    ...{ GATEWAY_BASE_URL: sandbox.url, DATA_DIR: tillfront.dataDir },
    ...{ GATEWAY_API_KEY: testKeys.apiKey, GATEWAY_ACCESS_TOKEN: testKeys.accessToken },
    ...env,
  });

const paid = async () => expectStatus(await client.payCard(await client.createSession()), 201).body;

test('copies the store of a running service that goes on taking payments; the copy is its owner’s, and a service starts on it', async () => {
  const before = await paid();
  let made = 0;
  let enough = false;
  const payers = [1, 2].map(async () => {
    while (!enough) made += (await paid()).status === 'succeeded' ? 1 : 0;
  });
  await until(() => made > 4);
  const file = join(tillfront.dataDir, 'copied.db');
  const { code, json } = await backUp(file);
  const atTheTime = made;
  await until(() => made > atTheTime + 4);
  enough = true;
  await Promise.all(payers);
  expect(code).toBe(0);
  const { payments } = json<{ payments: number }>();
  expect(json()).toEqual({ file, payments, bytes: statSync(file).size });
  expect(payments).toBeGreaterThanOrEqual(5);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const copy = new DatabaseSync(file, { readOnly: true });
  expect(copy.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  copy.close();

  const restored = { kind: 'embedded' as const, dataDir: join(tillfront.dataDir, 'restored') };
  mkdirSync(restored.dataDir);
  copyFileSync(file, join(restored.dataDir, 'tillfront.db'));
  const second = await startTillfront({
    store: { ...restored, dispose: () => Promise.resolve() },
    gatewayUrl: sandbox.url,
  });
  try {
    const { status } = await new TillfrontClient(second.url, second.merchantKey).getPayment(before.id);
    expect(status).toBe('succeeded');
  } finally {
    await second.stop();
  }
});

test('an existing file is left as it is, and what cannot be made leaves nothing', async () => {
  const file = join(tillfront.dataDir, 'mine.txt');
  writeFileSync(file, 'mine');
  const { code, json } = await backUp(file);
  expect([code, json()]).toEqual([
    4,
    { error: { code: 'file', message: expect.stringContaining('exists already') } },
  ]);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect((await backUp(join(tillfront.dataDir, 'nowhere', 'a.db'))).json()).toMatchObject({
    error: { code: 'file', message: expect.stringContaining('ENOENT') },
  });
});

test('where nothing can be copied, it says why and makes no store', async () => {
  const empty = join(tillfront.dataDir, 'empty');
  mkdirSync(empty);
  const target = join(empty, 'a.db');
  expect((await backUp(target, { DATA_DIR: empty })).json()).toMatchObject({ error: { code: 'store' } });
  writeFileSync(join(empty, 'tillfront.db'), 'this is no database');
  expect((await backUp(target, { DATA_DIR: empty })).json()).toMatchObject({
    error: { code: 'store', message: expect.stringContaining('not a database') },
  });
  expect(() => statSync(target)).toThrow('ENOENT');
  const { code, json } = await backUp(target, { DATABASE_URL: 'postgres://till@db.example/till' });
  expect([code, json()]).toEqual([
    4,
    { error: { code: 'postgres', message: expect.stringContaining('pg_dump') } },
  ]);
});
