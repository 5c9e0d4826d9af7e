import { expect, test } from '@jest/globals';
import type { SabotageName } from '../chaos/preload/sabotage.ts';
import { createTestStore } from '../harness/test-store.js';
import { service } from '../setup/service.js';
import { ModelRun } from './model-run.ts';

/** Builds that break a promise on purpose. A model that finds nothing wrong with them proves nothing. */
test.each<[SabotageName, RegExp]>([
  ['sends-again', /was started at the gateway twice|was sent \d times/],
  ['keys-forgotten', /was answered with pay_\w+, then with/],
])(
  'a build with the fault "%s" is found out',
  async (sabotage, says) => {
    const build = await service('build');
    const store = await createTestStore('embedded');
    const run = await ModelRun.start({
      build,
      store,
      offsets: [0],
      voidsDuplicates: false,
      asksRefunds: true,
      sabotage,
    });
    try {
      expect(await run.check({ seed: 2, runs: 150, asFound: true })).toMatch(says);
    } finally {
      await run.end();
    }
  },
  180_000,
);
