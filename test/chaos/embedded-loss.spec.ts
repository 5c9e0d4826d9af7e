import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { runCli } from '../cli/run-cli.js';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { answer, approved } from '../harness/gateway-answers.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';

/** What becomes of the embedded store's file behind its back. */

let store: TestStore;
let gateway: MisbehavingGateway;
let tillfront: Tillfront | undefined;
let file: string;

beforeEach(async () => {
  store = await createTestStore('embedded');
  file = join(store.dataDir, 'tillfront.db');
  gateway = await startMisbehavingGateway();
  gateway.script('POST /payment/card', answer(approved));
});
afterEach(async () => {
  await tillfront?.stop();
  tillfront = undefined;
  await gateway.close();
  await store.dispose();
});

async function start(): Promise<TillfrontClient> {
  tillfront = await startTillfront({ store, gatewayUrl: gateway.url });
  return new TillfrontClient(tillfront.url, tillfront.merchantKey);
}

async function stop(signal?: 'SIGKILL'): Promise<void> {
  await tillfront?.stop(signal);
  tillfront = undefined;
}

async function readiness(): Promise<{ status: number; text: string }> {
  const answered = await fetch(`${tillfront?.url ?? ''}/health/ready`);
  return { status: answered.status, text: await answered.text() };
}

const pay = async (shop: TillfrontClient) => {
  const paid = await shop.payCard(await shop.createSession());
  return expectStatus(paid, 201).body;
};
const cardsSent = () => gateway.requestsTo('POST /payment/card').length;
const environment = () => ({
  DATA_DIR: store.dataDir,
  GATEWAY_BASE_URL: gateway.url,
  PUBLIC_BASE_URL: 'http://127.0.0.1:3000',
  GATEWAY_API_KEY: testKeys.apiKey,
  GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
});

test('another file in its place while it runs: nothing is confirmed or sent, until the former one is back', async () => {
  const shop = await start();
  const session = await shop.createSession();
  const kept = await pay(shop);
  const copy = join(store.dataDir, 'copy.db');
  new DatabaseSync(file, { readOnly: true }).exec(`vacuum into '${copy}'`);
  const aside = join(store.dataDir, 'aside.db');
  renameSync(file, aside);
  renameSync(copy, file);

  const sent = cardsSent();
  const refused = await shop.payCard(session);
  expect([refused.status, (refused.body as { code?: string }).code]).toEqual([503, 'store-unavailable']);
  const notification = await shop.call('POST', '/v1/gateway/notifications', { client_ref: 'X_1' });
  expect(notification.status).toBe(503);
  expect(cardsSent()).toBe(sent);
  expect(await readiness()).toMatchObject({
    status: 503,
    text: expect.stringContaining('replaced or removed'),
  });
  await until(() => tillfront?.logs().includes('"kind":"replaced"') === true);

  renameSync(file, copy);
  renameSync(aside, file);
  // After a commit that failed, a write is tried at most once a second.
  await until(async () => (await readiness()).status === 200);
  const paid = expectStatus(await shop.payCard(session), 201).body;
  await stop();
  const later = await start();
  for (const { id } of [kept, paid]) expect((await later.getPayment(id)).status).toBe('succeeded');
});

test('a removed log: nothing more is confirmed, and what was is there after the next start', async () => {
  const shop = await start();
  const kept = await pay(shop);
  const session = await shop.createSession();
  rmSync(`${file}-wal`);
  expect((await shop.payCard(session)).status).toBe(503);
  expect((await readiness()).status).toBe(503);
  await stop();
  const later = await start();
  expect((await later.getPayment(kept.id)).status).toBe('succeeded');
  expectStatus(await later.payCard(session), 201);
});

test('a backup restored into it while it runs: nothing more is taken, now and after a restart, until a person knows', async () => {
  const shop = await start();
  const session = await shop.createSession();
  await pay(shop);
  const copy = join(store.dataDir, 'copy.db');
  const running = new DatabaseSync(file, { readOnly: true });
  running.exec(`vacuum into '${copy}'`);
  const time = () =>
    Number(running.prepare("select value from meta where name = 'store_time'").get()?.['value']);
  const before = time();
  // The time is kept once a second, while something is written.
  await until(async () => {
    await pay(shop);
    return time() > before;
  });
  running.close();
  const older = new DatabaseSync(copy);
  await backup(older, file);
  older.close();

  await until(async () => (await readiness()).status === 503);
  expect(await readiness()).toMatchObject({ text: expect.stringContaining('has forgotten') });
  const sent = cardsSent();
  const refused = await shop.payCard(session);
  expect([refused.status, (refused.body as { code?: string }).code]).toEqual([503, 'store-unavailable']);
  expect(cardsSent()).toBe(sent);
  await until(() => tillfront?.logs().includes('"kind":"loss"') === true);
  await stop();
  await expect(start()).rejects.toThrow(/has forgotten what it had confirmed/);
  const accepted = await runCli(['store', 'accept-loss'], environment());
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringMatching(/ended at \S+, and had reached/) });
  await pay(await start());
});

/** Lets one payment be confirmed, keeps the store as it is then, and lets another one be confirmed. */
async function olderCopy(): Promise<string> {
  await pay(await start());
  await stop();
  const copy = join(store.dataDir, 'copy.db');
  copyFileSync(file, copy);
  const shop = await start();
  await pay(shop);
  await stop();
  return copy;
}

test('an older copy put in its place while nothing ran: no payment is taken until a person knows', async () => {
  renameSync(await olderCopy(), file);
  // A command that is refused leaves the store as it is: each of them names the same times.
  const said = await runCli(['migrate'], environment());
  const times = /it ends at (\S+), and had reached (\S+?)\. .*accept-loss/;
  const [, found, known] = times.exec(said.stderr) ?? [];
  expect([said.code, Date.parse(found ?? '') < Date.parse(known ?? '')]).toEqual([4, true]);
  for (let time = 0; time < 2; time += 1)
    await expect(start()).rejects.toThrow(`it ends at ${found}, and had reached ${known}.`);
  const accepted = await runCli(['store', 'accept-loss', '--json'], environment());
  expect(accepted).toMatchObject({ code: 0 });
  expect(accepted.json()).toMatchObject({ accepted: [{ missing: [], known, found }] });
  for (const signal of [undefined, 'SIGKILL'] as const) {
    await pay(await start());
    await stop(signal);
  }
  // A later loss is another one.
  const shop = await start();
  await pay(shop);
  await stop();
  copyFileSync(join(store.dataDir, 'tillfront.db'), join(store.dataDir, 'copy.db'));
  await pay(await start());
  await stop();
  renameSync(join(store.dataDir, 'copy.db'), file);
  await expect(start()).rejects.toThrow(/has forgotten what it had confirmed/);
});

test('a backup in an empty folder is a store of its own; the witness of another store says nothing', async () => {
  const copy = await olderCopy();
  const folder = mkdtempSync(join(tmpdir(), 'tillfront-test-restored-'));
  try {
    mkdirSync(join(folder, 'restored'));
    copyFileSync(copy, join(folder, 'restored', 'tillfront.db'));
    const restored = await startTillfront({
      store: { ...store, dataDir: join(folder, 'restored') },
      gatewayUrl: gateway.url,
    });
    await restored.stop();
  } finally {
    rmSync(folder, { recursive: true });
  }
  rmSync(file);
  // An empty store in its place would know nothing of what was paid.
  await expect(start()).rejects.toThrow(/tillfront\.db is not there/);
  const other = await createTestStore('embedded');
  copyFileSync(join(other.dataDir, 'tillfront.db'), file);
  await other.dispose();
  await pay(await start());
});

test('a crash at any moment is no loss: the witness never knows more than the store', async () => {
  for (let round = 0; round < 4; round += 1) {
    const shop = await start();
    let paying = true;
    const buyers = [1, 2, 3].map(async () => {
      while (paying) await pay(shop).catch(() => undefined);
    });
    const witness = join(store.dataDir, 'embedded-witness.json');
    const before = existsSync(witness) ? readFileSync(witness, 'utf8') : '';
    await until(() => existsSync(witness) && readFileSync(witness, 'utf8') !== before);
    const ended = stop('SIGKILL');
    paying = false;
    await Promise.all([ended, ...buyers]);
  }
  await pay(await start());
});
