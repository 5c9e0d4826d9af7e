import { describe, expect, it } from '@jest/globals';
import { unfit } from './mutants.js';
import { simulate } from './simulate.js';

/** `SIMULATED_PAYMENTS=20000 npm test -- test/simulation/simulation` runs more worlds. */
const PAYMENTS = process.env['SIMULATED_PAYMENTS'] ?? '600';

describe('the engine in virtual time', () => {
  it('keeps its promises', async () => {
    const { code, output } = await simulate(['--payments', PAYMENTS]);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toMatch(/^\d+ worlds, \d+ payments, 0 failed/m);
  }, 3_600_000);

  it('ends every known beginning as it must', async () => {
    expect(await simulate(['--beginning', 'all'])).toMatchObject({ code: 0 });
  }, 60_000);

  it('runs alike from the same seed', async () => {
    const [one, other] = await Promise.all([
      simulate(['--seed', '5', '--log']),
      simulate(['--seed', '5', '--log']),
    ]);
    expect(one.output).toMatch(/sends pay of/);
    expect(other.output).toBe(one.output);
  }, 60_000);

  it('has mutants that change the service, each of them', () => {
    expect(unfit()).toEqual([]);
  });
});
