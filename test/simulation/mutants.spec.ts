import { describe, expect, it } from '@jest/globals';
import { MUTANTS } from './mutants.js';
import { simulate } from './simulate.js';

/** What changes nothing that a payer, a merchant or the gateway would notice within a world. */
const UNSEEN: readonly string[] = [];

describe('the service without one of its rules', () => {
  it.each(Object.keys(MUTANTS).filter((name) => !UNSEEN.includes(name)))(
    '%s',
    async (mutant) => {
      const { code } = await simulate(['--beginning', 'all'], mutant);
      if (code === 1) return;
      expect(await simulate(['--payments', '4000'], mutant)).toMatchObject({ code: 1 });
    },
    600_000,
  );
});
