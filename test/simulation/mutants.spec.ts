import { describe, expect, it } from '@jest/globals';
import { MUTANTS } from './mutants.js';
import { simulate } from './simulate.js';

/** What is only later without its rule: the next query says it again. `test/core` knows it. */
const UNSEEN: readonly string[] = ['money without a lease is dropped'];

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
