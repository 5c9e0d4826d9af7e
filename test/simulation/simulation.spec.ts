import { describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { service } from '../setup/service.js';
import { unfit } from './mutants/mutants.js';

/** Worlds of the simulation, each in a process whose clocks are the world's. `npm run simulate` runs more of them. */

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const PAYMENTS = 400;

async function simulate(...options: string[]): Promise<{ code: number; output: string }> {
  const build = await service('build');
  return new Promise((resolve) => {
    const env = { ...process.env, TEST_BUILD_FOLDER: build };
    execFile(process.execPath, [main, ...options], { env, maxBuffer: 1e8 }, (error, output) => {
      resolve({ code: error ? Number(error.code) : 0, output });
    });
  });
}

describe('the engine in virtual time', () => {
  test('keeps its promises', async () => {
    const { code, output } = await simulate('--payments', String(PAYMENTS));
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toMatch(/^\d+ worlds, \d+ payments, 0 failed/m);
  });

  test('runs alike from the same seed', async () => {
    const [one, other] = await Promise.all([
      simulate('--seed', '5', '--log'),
      simulate('--seed', '5', '--log'),
    ]);
    expect(one.output).toMatch(/STEP o0\.0 pay/);
    expect(other.output).toBe(one.output);
  });

  test('has mutants that change the build, each of them', async () => {
    expect(unfit(await service('build'))).toEqual([]);
  });

  test('sees two payments of one order at once where nothing keeps them apart', async () => {
    const { code, output } = await simulate(
      '--mutant',
      'started-beside-live',
      '--payments',
      '400',
      '--large',
    );
    expect({ code, output }).toMatchObject({ code: 1 });
    expect(output).toMatch(/are live at once|is charged while/);
  });
});
