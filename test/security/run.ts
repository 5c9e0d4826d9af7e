import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/*
 * Runs a bounded test of this folder as a long one: `npm run fuzz -- --cases 100000 --seed 1`, `npm run fuzz -- --texts 1000000`,
 * `npm run slow-clients -- --connections 1000 --seconds 60`.
 */
const runs: Record<string, Record<string, string>> = {
  fuzz: { cases: 'FUZZ_CASES', seed: 'FUZZ_SEED', texts: 'FUZZ_TEXTS' },
  'slow-clients': { connections: 'SLOW_CONNECTIONS', seconds: 'SLOW_SECONDS' },
};

const [name = '', ...rest] = process.argv.slice(2);
const variables = runs[name];
if (!variables) throw new Error(`Usage: run.ts ${Object.keys(runs).join('|')} [--option value …]`);
const options = Object.fromEntries(
  Object.keys(variables).map((option) => [option, { type: 'string' as const }]),
);
const { values } = parseArgs({ args: rest, options });
const environment = Object.fromEntries(
  Object.entries(variables).flatMap(([option, variable]) => {
    const value = values[option];
    return typeof value === 'string' ? [[variable, value]] : [];
  }),
);
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
// Texts are for the parts that read them, without a service.
const spec = 'FUZZ_TEXTS' in environment ? 'fuzz-texts' : name;
const { status } = spawnSync(process.execPath, [...jest, `test/security/${spec}.spec.ts`], {
  stdio: 'inherit',
  env: { ...process.env, ...environment },
});
process.exit(status ?? 1);
