import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createApp, type Application } from '../../src/app.js';
import { createDependencies } from '../../src/dependencies.js';
import { checkStart } from '../../src/start-check.js';
import { createTestStore, type TestStore } from '../harness/test-store.js';
import { freePort } from '../setup/free-port.js';

/** Who may read the metrics under production's rules: whoever reaches the management port, else the merchant. */

const newKey = (): string => randomBytes(24).toString('base64url');
const keys = { merchant: newKey(), read: newKey(), books: newKey() };

let cardKey: string;
let place: TestStore;
let application: Application;
let port: number;

beforeAll(() => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  cardKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
});
afterEach(async () => {
  await application?.stop();
  await place?.dispose();
});

async function start(env: Readonly<Record<string, string>>): Promise<void> {
  [place, port] = await Promise.all([createTestStore('embedded'), freePort()]);
  const dependencies = await createDependencies(
    checkStart({
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_BASE_URL: 'https://pay.example',
      GATEWAY_BASE_URL: 'http://127.0.0.1:9',
      GATEWAY_API_KEY: newKey(),
      GATEWAY_ACCESS_TOKEN: newKey(),
      MERCHANT_API_KEY: keys.merchant,
      MERCHANT_READ_API_KEY: keys.read,
      MERCHANT_BOOKS_API_KEY: `carol=${keys.books}`,
      SECRET_KEY: randomBytes(48).toString('base64'),
      CARD_ENCRYPTION_KEY: cardKey,
      NOTIFICATION_SECRET: newKey(),
      DATA_DIR: place.dataDir,
      LOG_LEVEL: 'silent',
      ...env,
    }),
  );
  await dependencies.store.prepare();
  application = await createApp(dependencies);
  await application.listen();
}

/** The status and what was answered, ids apart. */
async function ask(at: number, bearer?: string, path = '/metrics'): Promise<[status: number, text: string]> {
  const response = await fetch(`http://127.0.0.1:${at}${path}`, {
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
  });
  const text = await response.text();
  return [response.status, text.replace(/"(?:requestId|instance)":"[^"]*"/g, '')];
}

const metrics = [200, expect.stringContaining('tillfront_payments_total')];

describe('without a management port', () => {
  test('they are for merchant and read keys', async () => {
    await start({});
    expect(await ask(port, keys.merchant)).toEqual(metrics);
    expect(await ask(port, keys.read)).toEqual(metrics);
    expect((await ask(port))[0]).toBe(401);
    expect((await ask(port, newKey()))[0]).toBe(401);
    expect((await ask(port, keys.books))[0]).toBe(403);
    expect((await ask(port, undefined, '/health/ready'))[0]).toBe(200);
  });

  test('they are at the merchant’s port only, where there is one', async () => {
    const merchantPort = await freePort();
    await start({ MERCHANT_PORT: String(merchantPort) });
    for (const bearer of [undefined, keys.merchant, newKey()]) {
      expect(await ask(port, bearer)).toEqual(await ask(port, bearer, '/nothing'));
    }
    expect(await ask(merchantPort, keys.read)).toEqual(metrics);
  });
});

test('with a management port they are there alone, without a key', async () => {
  const managementPort = await freePort();
  await start({ MANAGEMENT_PORT: String(managementPort) });
  expect(await ask(managementPort)).toEqual(metrics);
  for (const bearer of [undefined, keys.merchant]) expect((await ask(port, bearer))[0]).toBe(404);
});
