import { afterAll, describe, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyStore, stores } from '../harness/test-store.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { runBuiltCli, runCli } from './run-cli.js';

const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('the command line', () => {
  test.each([
    [['nonsense']],
    [['store', 'nonsense']],
    [['store', 'backup']],
    [['api', 'GET']],
    [['doctor', '--nonsense']],
  ])('%j is refused with 2 and an explanation', async (args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: /);
  });

  test.each([[[]], [['--help']], [['store', '--help']], [['profile', '--help']], [['api', '--help']]])(
    '%j explains itself',
    async (args) => {
      const { code, stdout } = await runCli(args);
      expect(code).toBe(0);
      expect(stdout).toContain('Usage: tillfront');
    },
  );
});

describe('profile check', () => {
  test('says what a profile asks for and sends, and what is unconfirmed', async () => {
    const { code, stdout } = await runCli(['profile', 'check', 'profiles/built-in.json']);
    expect(code).toBe(0);
    for (const part of ['Not confirmed: ', '/payment/card', 'client_ref']) expect(stdout).toContain(part);
  });

  test('names every fault of one that cannot be used, and a file that cannot be read', async () => {
    const file = write('faulty.json', { confirmed: ['nonsense'], strange: 1 });
    const { code, stdout } = await runCli(['profile', 'check', file]);
    expect(code).toBe(1);
    for (const fault of ['/confirmed/0: must be one of', '/strange: is no key here'])
      expect(stdout).toContain(fault);
    expect(await runCli(['profile', 'check', join(folder, 'none.json')])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('cannot be read'),
    });
  });
});

describe('profile try', () => {
  const status = (word: string, expects: string) => ({
    operation: 'transactionStatus',
    payment: { client_ref: 'ORDER-1_1', currency: 'NGN', amount: '1500.00' },
    body: { error: false, data: { transaction: { status: word } } },
    expect: expects,
  });
  const tryThese = (...exchanges: unknown[]) =>
    runCli(['profile', 'try', 'profiles/built-in.json', write('exchanges.json', exchanges)]);

  test('shows the request, the pointer and word that decided, and the meaning', async () => {
    const { code, stdout } = await tryThese(status('SUCCESS', 'succeeded'), status('FAILED', 'failed'));
    expect(code).toBe(0);
    for (const part of [
      'GET /transaction/ORDER-1_1',
      '/data/transaction/status is "SUCCESS": succeeded',
      '/data/transaction/status is "FAILED": failed',
    ])
      expect(stdout).toContain(part);
  });

  test('is 1 where an answer means something else, and 4 where nothing can be tried', async () => {
    const { code, stdout } = await tryThese(status('PENDING', 'succeeded'));
    expect([code, stdout]).toEqual([1, expect.stringContaining('EXPECTED succeeded')]);
    expect((await tryThese({ operation: 'nonsense', body: {} })).code).toBe(4);
    const noJson = write('no.json', 'no JSON');
    expect((await runCli(['profile', 'try', 'profiles/built-in.json', noJson])).code).toBe(4);
  });
});

const place = ({ dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string | undefined }) => ({
  GATEWAY_BASE_URL: 'http://127.0.0.1:1',
  GATEWAY_API_KEY: testKeys.apiKey,
  GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
});

describe.each(stores)('store … on the %s store', (kind) => {
  test('migrates as a job, before a service that must not migrate itself', async () => {
    const [store, sandbox] = await Promise.all([createEmptyStore(kind), startTestSandbox()]);
    const env = place(store);
    try {
      const job = await runBuiltCli(['store', 'migrate'], env);
      expect(job).toEqual({ code: 0, stdout: 'The schema has been brought up to date.\n', stderr: '' });
      expect((await runCli(['store', 'migrate'], env)).stdout).toBe('The schema is up to date.\n');
      const tillfront = await startTillfront({
        store,
        gatewayUrl: sandbox.url,
        env: { MIGRATE_ON_START: 'false' },
      });
      try {
        const beside = await runCli(['store', 'migrate'], env);
        if (kind === 'embedded') expect(beside.stderr).toContain('in use by another process');
        expect(beside.code).toBe(kind === 'embedded' ? 4 : 0);
        // Declaring it needs no stop: the service learns of it.
        expect((await runCli(['store', 'restored'], env)).code).toBe(0);
      } finally {
        await tillfront.stop();
      }
      expect((await runCli(['store', 'trusted'], env)).stdout).toContain('It was restored at 2');
      expect((await runCli(['store', 'trusted'], env)).stdout).toBe('The store was not restored.\n');
    } finally {
      await sandbox.close();
      await store.dispose();
    }
  });

  test('makes no store by looking for one', async () => {
    const store = await createEmptyStore(kind);
    try {
      for (const command of ['restored', 'trusted'])
        expect((await runCli(['store', command], place(store))).code).toBe(4);
    } finally {
      await store.dispose();
    }
  });
});

test('store backup and store copy take an embedded store elsewhere, once', async () => {
  const [embedded, postgres] = await Promise.all([
    createEmptyStore('embedded'),
    createEmptyStore('postgres'),
  ]);
  try {
    const env = place(embedded);
    expect((await runCli(['store', 'migrate'], env)).code).toBe(0);
    const file = join(folder, 'backup.db');
    expect(await runCli(['store', 'backup', file], env)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(file)).toBe(true);
    expect(await runCli(['store', 'backup', file], env)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('exists already'),
    });
    expect(await runCli(['store', 'copy', embedded.dataDir], env)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('DATABASE_URL'),
    });
    const copied = await runCli(['store', 'copy', embedded.dataDir], place(postgres));
    expect([copied.code, copied.stdout]).toEqual([0, expect.stringContaining('Everything is copied.')]);
    expect(await runCli(['store', 'migrate'], env)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('moved to PostgreSQL'),
    });
  } finally {
    await Promise.all([embedded.dispose(), postgres.dispose()]);
  }
});
