import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestTimes } from './figures-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs all tests, then the quick ones. Throws where any fails: a time of tests that do not pass says nothing. */
export function measureTestTimes(): TestTimes {
  return { all: secondsOf('test'), quick: secondsOf('test:quick') };
}

function secondsOf(script: string): number {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const begun = performance.now();
  const { status } = spawnSync(npm, ['run', script], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm run ${script} ended with ${status}`);
  return (performance.now() - begun) / 1000;
}
