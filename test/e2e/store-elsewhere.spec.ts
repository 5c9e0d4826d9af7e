import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { expectStatus, problemOf, TillfrontClient } from '../harness/client.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createEmptyStore, createTestStore, type TestStore } from '../harness/test-store.js';
import { runTillfront, startTillfront, testKeys } from '../harness/tillfront.js';
import { freePort } from '../setup/free-port.js';
import { answer, approved } from '../truth/situations.js';

/** A start that would know nothing of what was paid is refused: it would charge the same orders again. */

let gateway: MisbehavingGateway;
let store: TestStore;
let another: TestStore;

beforeAll(async () => {
  gateway = await startMisbehavingGateway();
  store = await createTestStore('postgres');
  another = await createEmptyStore('postgres');
});
afterAll(async () => {
  await gateway?.close();
  await store?.dispose();
  await another?.dispose();
});

async function refusal(databaseUrl: string | undefined): Promise<string> {
  const run = await runTillfront({
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_API_KEY: testKeys.apiKey,
    GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
    DATA_DIR: store.dataDir,
    DATABASE_URL: databaseUrl,
  });
  expect(run.code).toBe(1);
  return run.output;
}

test('beside a witness of PostgreSQL nothing starts on the embedded store, nor on an empty database', async () => {
  gateway.script('POST /payment/card', answer(approved));
  const before = await startTillfront({ store, gatewayUrl: gateway.url });
  const shop = new TillfrontClient(before.url, before.merchantKey);
  expectStatus(await shop.payCard(await shop.createSession({ reference: 'PAID-1' })), 201);
  await before.stop();

  const forgotten = await refusal(undefined);
  expect(forgotten).toContain('witness.json');
  expect(forgotten).toContain('DATABASE_URL is not set');
  expect(await readdir(store.dataDir)).not.toContain('tillfront.db');
  expect(await refusal(another.databaseUrl)).toContain('The database is empty');

  const after = await startTillfront({ store, gatewayUrl: gateway.url });
  try {
    const again = new TillfrontClient(after.url, after.merchantKey);
    const owed = { reference: 'PAID-1', amount: '1500.00', currency: 'NGN' };
    const second = expectStatus(await again.post('/v1/checkout-sessions', owed), 409);
    expect(problemOf(second).code).toBe('reference-in-use');
  } finally {
    await after.stop();
  }
});
