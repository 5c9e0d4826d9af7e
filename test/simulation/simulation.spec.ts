import { describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { service } from '../setup/service.js';
import { unfit } from './mutants/mutants.js';

/** Worlds of the simulation, each in a process whose clocks are the world's. `npm run simulate` runs more of them. */

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const PAYMENTS = 200;
/**
 * Worlds that are fine, and fail without one rule. A world is another one once the simulation has changed: then another seed takes its
 * place, which the mutant alone finds.
 */
const FOUND = {
  'no-epoch': '17',
  'all-pay': '1',
  'no-bounce': '1',
  'approved-rest': '7',
  'twice-unseen': '1',
  'pin-is-a-decline': '10',
} as const;

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

  test.each(Object.entries(FOUND))('without %s alone, world %s fails', async (mutant, seed) => {
    const [without, whole] = [
      await simulate('--mutant', mutant, '--seed', seed),
      await simulate('--seed', seed),
    ];
    expect(without).toMatchObject({ code: 1 });
    expect(whole).toMatchObject({ code: 0 });
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
