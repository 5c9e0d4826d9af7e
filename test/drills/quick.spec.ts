import { expect, test } from '@jest/globals';
import { service } from '../setup/service.js';
import { DRILLS, runDrill } from './drills.ts';

/** The drills that take less than a minute and need no rights to mount; `npm run drill` runs all of them. */

const quick = Object.entries(DRILLS).flatMap(([name, drill]) =>
  drill.quick ? drill.stores.map((store) => ({ name, store, drill })) : [],
);

// Two at a time (`maxConcurrency`): each has a gateway, a shop and a store of its own, and waits more than it works.
test.concurrent.each(quick)(
  '$name, on the $store store',
  async ({ drill, store }) => {
    await service('bundle');
    expect((await runDrill(drill, store)).faults).toEqual([]);
  },
  600_000,
);
