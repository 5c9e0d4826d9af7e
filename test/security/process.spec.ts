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
    await until(async () => (await readFile(join(folder, name), 'utf8')).trimEnd().endsWith('}'));
    const report = await readFile(join(folder, name), 'utf8');
    expect(report).toContain('"nodejsVersion"');
    for (const secret of Object.values(testKeys)) expect(report).not.toContain(secret);
  } finally {
    await scene.stop();
    await rm(folder, { recursive: true });
  }
}, 60_000);

test('no secret is on the command line', async () => {
  const scene = await startScene('embedded');
  try {
    const line = await readFile(`/proc/${scene.tillfront.pid}/cmdline`, 'utf8');
    expect(line).toContain('main.js');
    for (const secret of Object.values(testKeys)) expect(line).not.toContain(secret);
  } finally {
    await scene.stop();
  }
}, 60_000);
