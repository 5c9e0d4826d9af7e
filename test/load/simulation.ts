import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Simulation } from './figures-files.ts';

const main = fileURLToPath(new URL('../simulation/main.ts', import.meta.url));
const MINUTES = '2';

/** What the simulation does in a minute of processor time, with all its rooms and faults. Throws where a world fails. */
export function measureSimulation(build: string): Simulation {
  const { status, stdout } = spawnSync(process.execPath, [main, '--minutes', MINUTES], {
    env: { ...process.env, TEST_BUILD_FOLDER: build },
    encoding: 'utf8',
  });
  const sum = / 0 failed; .*: (\d+) payments a minute of it/.exec(stdout);
  if (status !== 0 || !sum) throw new Error(`the simulation ended with ${status}: ${stdout}`);
  return { perMinute: Number(sum[1]) };
}
