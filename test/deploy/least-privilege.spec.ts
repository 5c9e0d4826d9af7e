import { expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { createTestStore } from '../harness/test-store.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { runCli } from '../cli/run-cli.js';

test('replicas need no other right than to read and write the rows that the migrating role has made', async () => {
  const store = await createTestStore('postgres');
  const sandbox = await startTestSandbox();
  const owner = new Client({ connectionString: store.databaseUrl });
  await owner.connect();
  const role = `replica_${randomBytes(6).toString('hex')}`;
  try {
    const env = {
      GATEWAY_BASE_URL: sandbox.url,
      GATEWAY_API_KEY: testKeys.apiKey,
      GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
      DATABASE_URL: store.databaseUrl,
    };
    expect((await runCli(['migrate'], env)).code).toBe(0);
    await owner.query(`create role ${role} login password 'p'`);
    await owner.query('revoke create on schema public from public');
    await owner.query(`grant select, insert, update, delete on all tables in schema public to ${role}`);
    const url = new URL(store.databaseUrl ?? '');
    url.username = role;
    url.password = 'p';
    const tillfront = await startTillfront({
      store: { ...store, databaseUrl: url.href },
      gatewayUrl: sandbox.url,
      env: { MIGRATE_ON_START: 'false' },
    });
    try {
      const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
      const paid = expectStatus(await client.payCard(await client.createSession()), 201).body;
      expect(paid.status).toBe('succeeded');
      expectStatus(await client.post(`/v1/payments/${paid.id}/void`), 200, 201);
      expect((await client.getEvents(paid.id)).length).toBeGreaterThan(3);
    } finally {
      await tillfront.stop();
    }
  } finally {
    await owner.query(`drop owned by ${role}`).catch(() => undefined);
    await owner.query(`drop role if exists ${role}`);
    await owner.end();
    await sandbox.close();
    await store.dispose();
  }
});
