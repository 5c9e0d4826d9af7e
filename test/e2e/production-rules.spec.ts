import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectStatus, problemOf, TillfrontClient } from '../harness/client.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';

/** A service under production's rules while it runs; test/e2e/start.spec.ts and src/config show its starts. */

let folder: string;
let keyFile: string;
let gateway: MisbehavingGateway;
let tillfront: Tillfront;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillfront-test-production-'));
  keyFile = join(folder, 'key');
  await writeFile(keyFile, testKeys.merchant);
  gateway = await startMisbehavingGateway();
  tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: gateway.url,
    env: {
      NODE_ENV: 'production',
      MERCHANT_API_KEY: undefined,
      MERCHANT_API_KEY_FILE: keyFile,
      CARD_ENCRYPTION_KEY: generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
      NOTIFICATION_SECRET: 'b5f0c1d7e9a2436f8c1b',
      ALLOWED_RETURN_ORIGINS: 'https://shop.example,http://localhost:5173',
    },
  });
});
afterAll(async () => {
  await tillfront?.stop();
  await gateway?.close();
  await rm(folder, { recursive: true, force: true });
});

const session = (returnUrl: string) => ({
  ...{ reference: `ORDER-${Math.random().toString(36).slice(2)}`, amount: '10.00', currency: 'NGN' },
  returnUrl,
});

test('payers are sent back over https only, this machine apart', async () => {
  const client = new TillfrontClient(tillfront.url, testKeys.merchant);
  const create = (returnUrl: string) => client.post('/v1/checkout-sessions', session(returnUrl));
  const problem = problemOf(expectStatus(await create('http://shop.example/thanks'), 400));
  expect(problem.code).toBe('validation-failed');
  expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/returnUrl']);
  expectStatus(await create('https://shop.example/thanks'), 201);
  expectStatus(await create('http://localhost:5173/thanks'), 201);
});
