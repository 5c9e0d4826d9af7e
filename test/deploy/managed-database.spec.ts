import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { Sandbox } from '../../sandbox/server.ts';
import { TillfrontClient } from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startPostgres, type PostgresCluster } from '../setup/postgres-cluster.ts';
import { service } from '../setup/service.js';

/** What a managed PostgreSQL asks for: checked certificates, and passwords that are changed while the service runs. */

let sandbox: Sandbox;
let cluster: PostgresCluster;
let folder: string;
let owner: Client;

beforeAll(async () => {
  // Built here, since a test's own time is for what it tests.
  await service('build');
  folder = await mkdtemp(join(tmpdir(), 'tillfront-test-managed-'));
  for (const [name, address] of Object.entries({ server: 'DNS:localhost', other: 'DNS:localhost' })) {
    const made = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '2', '-subj', '/CN=localhost'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...made, '-addext', `subjectAltName=${address}`],
      { cwd: folder, stdio: 'ignore' },
    );
  }
  const [cert, key] = await Promise.all(
    ['server.pem', 'server.key'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  cluster = await startPostgres({ tls: { cert: cert ?? '', key: key ?? '' } });
  owner = new Client({ connectionString: cluster.url });
  await owner.connect();
  sandbox = await startTestSandbox();
}, 300_000);
afterAll(async () => {
  await owner.end();
  await cluster.stop();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/** The cluster's address by a name, with verification by a CA file. */
function address(host: string, ca: string, credentials?: { user: string; password: string }): string {
  const url = new URL(cluster.url);
  url.hostname = host;
  if (credentials) [url.username, url.password] = [credentials.user, credentials.password];
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', join(folder, ca));
  return url.href;
}

function start(env: Record<string, string>, startsWhen: 'ready' | 'live' = 'ready'): Promise<Tillfront> {
  const store = { kind: 'postgres' as const, dataDir: folder, dispose: () => Promise.resolve() };
  return startTillfront({ store, gatewayUrl: sandbox.url, env, startsWhen });
}

const isReady = async (till: Tillfront): Promise<boolean> => (await fetch(`${till.url}/health/ready`)).ok;

async function pays(till: Tillfront): Promise<string> {
  const client = new TillfrontClient(till.url, till.merchantKey);
  return (await client.payCard(await client.createSession())).body.status;
}

test.each([
  ['another CA', 'localhost', 'other.pem'],
  ['another name', '127.0.0.1', 'server.pem'],
])('verify-full refuses a certificate of %s', async (_name, host, ca) => {
  const till = await start({ DATABASE_URL: address(host, ca) }, 'live');
  try {
    const answer = await fetch(`${till.url}/health/ready`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      reason: 'store',
      detail: expect.stringContaining('connection'),
    });
  } finally {
    await till.kill();
  }
});

test('with its own CA the connection is encrypted, and a new password or user in the file counts while it runs', async () => {
  const file = join(folder, 'database-url');
  for (const user of ['one', 'two']) {
    await owner.query(`create role ${user} login superuser password '${user}-old'`);
  }
  await writeFile(file, `${address('localhost', 'server.pem', { user: 'one', password: 'one-old' })}\n`);
  const till = await start({ DATABASE_URL_FILE: file });
  try {
    expect(await pays(till)).toBe('succeeded');
    const encrypted = `select bool_and(ssl) as all, count(*)::int as some from pg_stat_ssl join pg_stat_activity using (pid)
      where application_name = 'tillfront'`;
    expect((await owner.query(encrypted)).rows).toEqual([{ all: true, some: expect.any(Number) }]);

    // First the password is changed, which ends no session, then the file; then all sessions are ended.
    await owner.query(`alter role one password 'one-new'`);
    await writeFile(file, address('localhost', 'server.pem', { user: 'one', password: 'one-new' }));
    await owner.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'one'");
    // Right after that it may still count as ready, and find the first of its sessions ended.
    await until(async () => (await pays(till).catch(() => undefined)) === 'succeeded', 60_000);
    await until(() => isReady(till), 60_000);

    // Another user: each new connection reads the file.
    await writeFile(file, address('localhost', 'server.pem', { user: 'two', password: 'two-old' }));
    await owner.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'one'");
    await until(async () => (await pays(till).catch(() => undefined)) === 'succeeded', 60_000);
    const users = "select distinct usename from pg_stat_activity where application_name = 'tillfront'";
    await until(async () => {
      // One that was being opened when the file changed has the former user.
      await owner.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'one'");
      const { rows } = await owner.query<{ usename: string }>(users);
      return rows.length === 1 && rows[0]?.usename === 'two';
    }, 60_000);
    await until(async () => (await pays(till).catch(() => undefined)) === 'succeeded', 60_000);
    for (const secret of ['one-old', 'one-new', 'two-old']) expect(till.logs()).not.toContain(secret);
  } finally {
    await till.kill();
  }
});
