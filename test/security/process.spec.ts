import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startScene } from '../harness/scene.js';
import { testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';

/** What the process leaves behind, and shows to others on the machine. */

test('a diagnostic report that somebody asks for holds no secret of the environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-report-'));
  const scene = await startScene('embedded', {
    NODE_OPTIONS: `--report-on-signal --report-directory=${folder}`,
  });
  try {
    process.kill(scene.tillfront.pid, 'SIGUSR2');
    await until(async () => (await readdir(folder)).some((name) => name.endsWith('.json')));
    const [name = ''] = await readdir(folder);
    // It is whole when it can be read: a part of it may end with a brace too.
    await until(async () => {
      try {
        JSON.parse(await readFile(join(folder, name), 'utf8'));
        return true;
      } catch {
        return false;
      }
    });
    const report = await readFile(join(folder, name), 'utf8');
    expect(report).toContain('"nodejsVersion"');
    for (const secret of Object.values(testKeys)) expect(report).not.toContain(secret);
  } finally {
    await scene.stop();
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['as it is started bare', {}],
  ['with --disable-sigusr1, as start:prod and the image do', { NODE_OPTIONS: '--disable-sigusr1' }],
])(
  'nobody opens the inspector by SIGUSR1: %s',
  async (_how, env) => {
    const scene = await startScene('embedded', env);
    try {
      const { pid } = scene.tillfront;
      for (let times = 0; times < 3; times++) {
        process.kill(pid, 'SIGUSR1');
        // An answer comes after the signal was taken: the process has one loop for both.
        await scene.client.createSession();
      }
      expect(scene.tillfront.logs()).not.toMatch(/Debugger listening/);
    } finally {
      expect(await scene.tillfront.stop()).toEqual({ code: 0, signal: null });
      await scene.gateway.close();
    }
  },
  120_000,
);

test('start:prod and the image give the signal no meaning from the first moment', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['start:prod']).toContain('--disable-sigusr1');
  // Without `exec` a shell stands between npm and the service, and keeps SIGTERM to itself.
  expect(scripts['start:prod']).toMatch(/^exec node /);
  expect(await readFile('Dockerfile', 'utf8')).toMatch(
    /ENTRYPOINT \["node", "--disable-sigusr1",.*main\.js"\]/,
  );
});

test('no secret is on the command line', async () => {
  const scene = await startScene('embedded');
  try {
    const line = await readFile(`/proc/${scene.tillfront.pid}/cmdline`, 'utf8');
    expect(line).toContain('main.js');
    for (const secret of Object.values(testKeys)) expect(line).not.toContain(secret);
  } finally {
    await scene.stop();
  }
});
