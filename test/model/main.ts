import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/** `npm run model`: the test of this folder with more sequences, or with one alone. */

const HELP = `npm run model -- [options]
  --runs N      sequences on each store (default 1000)
  --seed N      what all chance comes from (default 1)
  --path P      of a failure: the one sequence that it names
  --store S     embedded or postgres (default: both, one after the other)
  --worlds N    services at a time, each with a seed of its own, counted on from --seed (default 1)
  --except R    leaves out the steps that match this regular expression
  --sabotage S  a build that breaks a promise (test/chaos/preload/sabotage.ts)
An even seed is of a shop that voids duplicates; the last two of four are of a gateway that is not asked about refunds.`;

const { values: given } = parseArgs({
  options: {
    runs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    path: { type: 'string' },
    store: { type: 'string' },
    worlds: { type: 'string', default: '1' },
    except: { type: 'string' },
    sabotage: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (given.help) {
  process.stdout.write(`${HELP}\n`);
} else {
  const {
    runs = given.path === undefined ? '1000' : '1',
    seed,
    path,
    store,
    worlds,
    except,
    sabotage,
  } = given;
  const chosen = {
    RUNS: runs,
    SEED: seed,
    PATH: path,
    STORE: store,
    WORLDS: worlds,
    EXCEPT: except,
    SABOTAGE: sabotage,
  };
  const variables = Object.entries(chosen).map(([name, value]) => [`MODEL_${name}`, value] as const);
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  const { status } = spawnSync(process.execPath, [...jest, 'test/model/model.spec.ts'], {
    env: { ...process.env, ...Object.fromEntries(variables.filter(([, value]) => value !== undefined)) },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
