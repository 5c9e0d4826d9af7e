import { expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { createEmptyStore } from '../harness/test-store.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { runCli } from '../cli/run-cli.js';

/** What the audit has, oldest first. */
async function audited(client: TillfrontClient): Promise<string[]> {
  type List = { data: { action: string; outcome: string }[] };
  const { body } = expectStatus(await client.get<List>('/v1/audit'), 200);
  return body.data.map(({ action, outcome }) => `${action} ${outcome}`);
}

/** What is there can be read, and not changed. */
async function expectGuarded(replica: Client): Promise<void> {
  for (const statement of [
    "update audit set outcome = 'ok'",
    'delete from audit',
    'truncate audit',
    'alter table audit add column mine text',
    "update kysely_migration set name = 'x'",
    "insert into kysely_migration (name, timestamp) values ('x', 'x')",
    'delete from kysely_migration',
    'delete from kysely_migration_lock',
  ])
    await expect(replica.query(statement)).rejects.toThrow(/permission denied|must be owner/);
}

test('with the roles of the printed script, one migrates, and replicas read and write rows, only add to the audit, and do nothing else', async () => {
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
    const script = printed.stdout.replace(/^--.*$/gm, '');
    for (let time = 0; time < 2; time++) await owner.query(script);
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
      // The audit is written, and what was begun is cleared away.
      expectStatus(await client.post(`/v1/payments/${paid.id}/void`), 409);
      expect(await audited(client)).toEqual(['migrate ok', 'void ok', 'void invalid-state']);
      // What a dead process has begun is ended by the next one.
      await owner.query(
        `insert into begun_acts (id, at, actor, action, owner) values ('aud_dead', 0, 'merchant', 'void', 'own_dead')`,
      );
      const accepted = await runCli(['store', 'accept-loss'], { ...env, DATABASE_URL: as(role) });
      expect(accepted.code).toBe(0);
    } finally {
      await tillfront.stop();
    }
    const next = await startTillfront({
      store: { ...store, databaseUrl: as(role) },
      gatewayUrl: sandbox.url,
      env: { MIGRATE_ON_START: 'false', PAYER_RETENTION_DAYS: '1' },
    });
    try {
      const client = new TillfrontClient(next.url, next.merchantKey);
      await until(async () => (await audited(client)).at(-1) === 'void outcome-unknown');
      await until(async () => (await owner.query('select id from begun_acts')).rows.length === 0);
    } finally {
      await next.stop();
    }
    const replica = new Client({ connectionString: as(role) });
    await replica.connect();
    await expectGuarded(replica);
    // The same once more, as after an upgrade: now all tables are there.
    await owner.query(script);
    await expectGuarded(replica);
    expect((await replica.query('select name from kysely_migration')).rows.length).toBeGreaterThan(0);
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
