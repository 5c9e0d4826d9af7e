import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { service } from '../setup/service.js';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Worlds of the simulation, each in a process whose clocks are the world's. `npm run simulate` runs more of them. */
export async function simulate(...options: string[]): Promise<{ code: number; output: string }> {
  const build = await service('build');
  return new Promise((resolve) => {
    const env = { ...process.env, TEST_BUILD_FOLDER: build };
    execFile(process.execPath, [main, ...options], { env, maxBuffer: 1e8 }, (error, output) => {
      resolve({ code: error ? Number(error.code) : 0, output });
    });
  });
}
