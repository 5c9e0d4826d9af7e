import { describe, expect, test } from '@jest/globals';
import type { SabotageName } from '../chaos/preload/sabotage.ts';
import { createTestStore, stores, type StoreKind } from '../harness/test-store.js';
import { service } from '../setup/service.js';
import { ModelRun } from './model-run.ts';

/**
 * The service against a gateway that keeps books: after whatever sequence of steps, what is shown is what the books say.
 * `npm run model` takes more of them, and repeats one.
 */

const RUNS = Number(process.env['MODEL_RUNS'] ?? 15);
const WORLDS = Number(process.env['MODEL_WORLDS'] ?? 1);
const SEED = Number(process.env['MODEL_SEED'] ?? 1);
const PATH = process.env['MODEL_PATH'];
const ONLY = process.env['MODEL_STORE'];
const EXCEPT = process.env['MODEL_EXCEPT'];
const SABOTAGE = process.env['MODEL_SABOTAGE'];
const MINUTE = 60_000;
/** One process, and two whose clocks are 20 minutes apart. */
const OFFSETS: Readonly<Record<StoreKind, readonly number[]>> = { embedded: [0], postgres: [0, 20 * MINUTE] };

async function world(store: StoreKind, build: string, seed: number): Promise<string | undefined> {
  // Each kind of shop and gateway in turn.
  const kind = { voidsDuplicates: seed % 2 === 0, asksRefunds: seed % 4 < 2 };
  const run = await ModelRun.start({
    ...{ build, store: await createTestStore(store), offsets: OFFSETS[store], ...kind },
    ...(SABOTAGE !== undefined && { sabotage: SABOTAGE as SabotageName }),
  });
  try {
    const runs = Math.ceil(RUNS / WORLDS);
    return await run.check({
      seed,
      runs,
      path: PATH,
      except: EXCEPT === undefined ? undefined : new RegExp(EXCEPT),
    });
  } finally {
    const figures = Object.entries(run.figures).map(([name, value]) => `${name} ${value}`);
    const deeds = [...run.deeds].sort().map(([name, times]) => `${name} ${times}`);
    if (process.env['MODEL_RUNS'] !== undefined)
      process.stdout.write(`${store}, seed ${seed}: ${figures.join(', ')}\n  ${deeds.join(', ')}\n`);
    await run.end();
  }
}

describe.each(stores.filter((kind) => ONLY === undefined || kind === ONLY))('on the %s store', (kind) => {
  test(
    'whatever happens, no money is taken twice, lost or made up',
    async () => {
      const build = await service(SABOTAGE === undefined ? 'bundle' : 'build');
      const seeds = Array.from({ length: WORLDS }, (_, index) => SEED + index);
      const failures = await Promise.all(seeds.map((seed) => world(kind, build, seed)));
      expect(failures.filter((failure) => failure !== undefined).join('\n\n')).toBe('');
    },
    (process.env['MODEL_RUNS'] === undefined ? 3 : 600) * MINUTE,
  );
});
