import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createEmptyStore, stores, type TestStore } from '../harness/test-store.js';
import { runTillfront, startTillfront, testKeys } from '../harness/tillfront.js';
import { freePort } from '../setup/free-port.js';
import { until } from '../harness/until.js';

/** A start that is wrong says everything that is wrong with it, and shows no value. */

let folder: string;
let port: number;
let gateway: MisbehavingGateway;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillfront-test-start-'));
  port = await freePort();
  gateway = await startMisbehavingGateway();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await gateway.close();
});

const enough = () => ({
  PORT: String(port),
  HOST: '127.0.0.1',
  GATEWAY_BASE_URL: gateway.url,
  GATEWAY_API_KEY: testKeys.apiKey,
  GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
  DATA_DIR: join(folder, 'data'),
});

async function refusal(env: Record<string, string | undefined>): Promise<string> {
  const run = await runTillfront(env);
  expect({ code: run.code, signal: run.signal, output: run.code === 1 ? '' : run.output }).toEqual({
    code: 1,
    signal: null,
    output: '',
  });
  return run.output;
}

/** A profile that needs a key for what is sent, and one for what comes. */
const sealedAndSigned = {
  operations: {
    payCard: {
      post: '/pay',
      encrypt: { number: '{cardNumber}', cvv: '{cvv}', month: '{expiryMonth}', year: '{expiryYear}' },
      body: { ref: '{client_ref}', amount: '{amount}', sealed: '{sealed}', key: '{apiKey}' },
    },
    transactionStatus: { get: '/pay/{client_ref}' },
  },
  encryption: { scheme: 'aes-256-gcm' },
  answer: { status: '/status', words: { succeeded: ['paid'] } },
  notification: {
    reference: '/ref',
    signature: { scheme: 'hmac-sha256', header: 'x-signature' },
  },
};

describe('configuration', () => {
  test('nothing at all: what is needed is named', async () => {
    const output = await refusal({ DATA_DIR: join(folder, 'data') });
    for (const name of ['GATEWAY_BASE_URL', 'GATEWAY_API_KEY', 'GATEWAY_ACCESS_TOKEN'])
      expect(output).toContain(name);
  });

  test('every fault at once, no value of any', async () => {
    const marker = 'Zq7Zq7';
    const faults = {
      PORT: `${marker}1`,
      PUBLIC_BASE_URL: `${marker}2`,
      GATEWAY_BASE_URL: `ftp://${marker}3`,
      GATEWAY_MODE: `${marker}4`,
      GATEWAY_TIMEOUT_MS: `-${marker}5`,
      DATABASE_URL: `mysql://user:${marker}6@host/db`,
      SECRET_KEY: `${marker}7`,
      PAYMENT_METHODS: `card,${marker}8`,
      ALLOWED_ORIGINS: `https://${marker}9/path`,
      MERCHANT_WEBHOOK_SECRET: `${marker}10`,
      MIGRATE_ON_START: 'yes',
      CARD_ENCRYPTION_KEY: `-----BEGIN PRIVATE KEY-----${marker}11`,
      LOG_LEVEL: `${marker}12`,
      TRUST_PROXY: `${marker}13`,
    };
    const output = await refusal({ ...enough(), ...faults });
    for (const name of Object.keys(faults)) expect(output).toContain(name);
    expect(output).not.toContain(marker);
  });

  test('what the variables lack for the profile is named beside their own faults, and nothing is written', async () => {
    const path = join(folder, 'profile.json');
    await writeFile(path, JSON.stringify(sealedAndSigned));
    const env = {
      ...enough(),
      GATEWAY_MODE: 'live',
      GATEWAY_PROFILE: path,
      DATA_DIR: join(folder, 'unmade'),
    };
    const output = await refusal({ ...env, LOG_LEVEL: 'loud', GATEWAY_TIMEOUT_MS: 'soon' });
    const names = ['NOTIFICATION_SECRET', 'GATEWAY_ENCRYPTION_KEY', 'transactionStatus'];
    for (const name of [...names, 'LOG_LEVEL', 'GATEWAY_TIMEOUT_MS']) expect(output).toContain(name);
    await refusal(env);
    expect(await readdir(folder)).not.toContain('unmade');
  });

  test.each(['PORT', 'MERCHANT_PORT', 'MANAGEMENT_PORT'])(
    'a port that is taken is named in one line: %s',
    async (variable) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port: takenPort } = taken.address() as AddressInfo;
      try {
        const output = await refusal({
          ...enough(),
          [variable]: String(takenPort),
          DATA_DIR: join(folder, 'other'),
        });
        expect(output).toContain(`EADDRINUSE: address already in use 127.0.0.1:${takenPort}`);
        expect(output).not.toMatch(/^ {4}at /m);
      } finally {
        taken.close();
      }
    },
  );

  test('an address that this machine does not have', async () => {
    const output = await refusal({ ...enough(), HOST: '192.0.2.1', DATA_DIR: join(folder, 'other') });
    expect(output).toContain('EADDRNOTAVAIL: address not available 192.0.2.1');
    expect(output).not.toMatch(/^ {4}at /m);
  });
});

describe('generated keys', () => {
  test('are made once and kept where only their owner reads them; the start says where', async () => {
    const store = await createEmptyStore('embedded');
    const env = { MERCHANT_API_KEY: undefined, MERCHANT_READ_API_KEY: undefined, SECRET_KEY: undefined };
    const statuses: number[] = [];
    for (let start = 0; start < 2; start++) {
      const tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env });
      await until(() => tillfront.logs().includes('MERCHANT_API_KEY'));
      const [, file = ''] = /the generated one is in (.*)\n/.exec(tillfront.logs()) ?? [];
      const key = (await readFile(file, 'utf8')).trim();
      expect((await stat(file)).mode & 0o077).toBe(0);
      expect(tillfront.logs()).not.toContain(key);
      const headers = { authorization: `Bearer ${key}` };
      statuses.push((await fetch(`${tillfront.url}/v1/payments`, { headers })).status);
      await tillfront.stop();
    }
    expect(statuses).toEqual([200, 200]);
    await store.dispose();
  });
});

describe.each(stores)('the %s store', (kind) => {
  test('belongs to one gateway and mode', async () => {
    const store = await createEmptyStore(kind);
    const tillfront = await startTillfront({ store, gatewayUrl: gateway.url });
    await tillfront.stop();
    const env = {
      ...enough(),
      DATA_DIR: store.dataDir,
      DATABASE_URL: store.databaseUrl,
      SECRET_KEY: testKeys.secretKey,
    };
    const output = await refusal({ ...env, GATEWAY_BASE_URL: 'http://127.0.0.1:9' });
    expect(output).toMatch(/gateway/i);
    await store.dispose();
  });

  test('starts again on what it has kept, and not on a schema of newer code', async () => {
    const store = await createEmptyStore(kind);
    for (let start = 0; start < 2; start++) {
      const tillfront = await startTillfront({ store, gatewayUrl: gateway.url, emptyStore: true });
      expect((await tillfront.stop()).code).toBe(0);
    }
    await execute(store, "UPDATE meta SET value = '9999' WHERE name = 'schema'");
    const output = await refusal({
      ...enough(),
      DATA_DIR: store.dataDir,
      DATABASE_URL: store.databaseUrl,
      SECRET_KEY: testKeys.secretKey,
    });
    expect(output).toContain('Start the newer version');
    await store.dispose();
  });
});

/** Runs a statement on a store whose service is stopped. */
async function execute(store: TestStore, statement: string): Promise<void> {
  if (store.databaseUrl !== undefined) {
    const client = new Client({ connectionString: store.databaseUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
    return;
  }
  const files = (await readdir(store.dataDir)).filter((name) => name.endsWith('.db') && name !== 'lock.db');
  const [file] = files;
  if (file === undefined || files.length > 1) throw new Error(`not one database in ${store.dataDir}`);
  const database = new DatabaseSync(join(store.dataDir, file));
  database.exec(statement);
  database.close();
}

test('one process has one DATA_DIR, and a crash leaves no lock behind', async () => {
  const store = await createEmptyStore('embedded');
  const first = await startTillfront({ store, gatewayUrl: gateway.url });
  const output = await refusal({ ...enough(), DATA_DIR: store.dataDir, SECRET_KEY: testKeys.secretKey });
  expect(output).toContain(store.dataDir);
  expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
  await first.kill();
  const second = await startTillfront({ store, gatewayUrl: gateway.url });
  expect((await second.stop()).code).toBe(0);
  await store.dispose();
});

test('a database that does not answer: it waits for it, is not ready, and tells no password', async () => {
  const url = `postgres://till:Zq7Zq7@127.0.0.1:${await freePort()}/till`;
  const env = { DATABASE_URL: url };
  const start = startTillfront({ store: 'embedded', gatewayUrl: gateway.url, env, readyWithinMs: 2000 });
  const refused = await start.then(
    () => 'ready',
    (error: Error) => error.message,
  );
  expect(refused).toMatch(/not ready within|ended at its start/);
  expect(refused).not.toContain('Zq7Zq7');
});
