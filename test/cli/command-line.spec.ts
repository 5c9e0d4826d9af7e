import { afterAll, describe, expect, test } from '@jest/globals';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyStore, stores } from '../harness/test-store.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { runBuiltCli, runCli } from './run-cli.js';

describe('the command line', () => {
  test.each([[['nonsense']], [['store', 'nonsense']], [['api', 'GET']], [['doctor', '--nonsense']]])(
    '%j is refused with 2 and an explanation',
    async (args) => {
      const { code, stdout, stderr } = await runCli(args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^error: /);
    },
  );

  test.each([[[]], [['--help']], [['store', '--help']], [['api', '--help']]])(
    '%j explains itself',
    async (args) => {
      const { code, stdout } = await runCli(args);
      expect(code).toBe(0);
      expect(stdout).toContain('Usage: tillfront');
    },
  );
});

describe('profile check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'profile-'));
  const file = join(folder, 'profile.json');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('says what a profile changes and what is unconfirmed', async () => {
    writeFileSync(file, JSON.stringify({ confirmed: ['payCard'] }));
    const { code, stdout } = await runCli(['profile', 'check', file]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^The profile can be used\.[^]*Not confirmed: /),
    ]);
  });

  test('names every fault of one that cannot be used', async () => {
    writeFileSync(file, JSON.stringify({ confirmed: ['nonsense'], strange: 1 }));
    const { code, stdout } = await runCli(['profile', 'check', file]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/confirmed[^]*strange|strange[^]*confirmed/);
  });
});

describe.each(stores)('store migrate on the %s store', (kind) => {
  test('as a job, before a service that must not migrate itself', async () => {
    const [store, sandbox] = await Promise.all([createEmptyStore(kind), startTestSandbox()]);
    const env = {
      GATEWAY_BASE_URL: sandbox.url,
      GATEWAY_API_KEY: testKeys.apiKey,
      GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
      DATA_DIR: store.dataDir,
      DATABASE_URL: store.databaseUrl,
    };
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
      } finally {
        await tillfront.stop();
      }
    } finally {
      await sandbox.close();
      await store.dispose();
    }
  });
});
