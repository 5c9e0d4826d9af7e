import { describe, expect, test } from '@jest/globals';
import { service } from '../setup/service.js';
import { unfit } from './mutants/mutants.js';
import { simulate } from './simulate.js';

const PAYMENTS = 200;

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
});
