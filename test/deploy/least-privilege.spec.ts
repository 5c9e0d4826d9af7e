import { expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { createEmptyStore } from '../harness/test-store.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { runCli } from '../cli/run-cli.js';

test('with the roles of the printed script, one migrates, and replicas read and write rows and nothing else', async () => {
  const store = await createEmptyStore('postgres');
  const sandbox = await startTestSandbox();
  const owner = new Client({ connectionString: store.databaseUrl });
  await owner.connect();
  const [migrating, role] = ['migrate', 'replica'].map(
    (name) => `${name}_${randomBytes(6).toString('hex')}`,
  ) as [string, string];
  const as = (name: string): string => {
    const url = new URL(store.databaseUrl ?? '');
    url.username = name;
    url.password = 'p';
    return url.href;
  };
  try {
    const env = {
      GATEWAY_BASE_URL: sandbox.url,
      GATEWAY_API_KEY: testKeys.apiKey,
      GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
      DATABASE_URL: store.databaseUrl,
    };
    const printed = await runCli(['db', 'roles', '--migrating', migrating, '--running', role]);
    expect(printed.code).toBe(0);
    // Twice, as a person might.
    for (let time = 0; time < 2; time++) await owner.query(printed.stdout.replace(/^--.*$/gm, ''));
    for (const name of [migrating, role]) await owner.query(`alter role ${name} password 'p'`);
    expect((await runCli(['migrate'], { ...env, DATABASE_URL: as(migrating) })).code).toBe(0);
    const tillfront = await startTillfront({
      store: { ...store, databaseUrl: as(role) },
      gatewayUrl: sandbox.url,
      env: { MIGRATE_ON_START: 'false' },
    });
    try {
      const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
      const paid = expectStatus(await client.payCard(await client.createSession()), 201).body;
      expect(paid.status).toBe('succeeded');
      expectStatus(await client.post(`/v1/payments/${paid.id}/void`), 200, 201);
      expect((await client.getEvents(paid.id)).length).toBeGreaterThan(3);
      const accepted = await runCli(['store', 'accept-loss'], { ...env, DATABASE_URL: as(role) });
      expect(accepted.code).toBe(0);
    } finally {
      await tillfront.stop();
    }
    const replica = new Client({ connectionString: as(role) });
    await replica.connect();
    await expect(replica.query('create table mine (id text)')).rejects.toThrow('permission denied');
    await expect(replica.query('drop table payments')).rejects.toThrow('must be owner');
    expect((await replica.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '20s' }]);
    await replica.end();
  } finally {
    for (const name of [role, migrating]) {
      await owner.query(`drop owned by ${name} cascade`).catch(() => undefined);
      await owner.query(`drop role if exists ${name}`);
    }
    await owner.end();
    await sandbox.close();
    await store.dispose();
  }
});

test('a name that SQL would have to quote is refused', async () => {
  const refused = await runCli(['db', 'roles', '--running', 'x; drop table payments']);
  expect([refused.code, refused.stdout]).toEqual([2, '']);
});
