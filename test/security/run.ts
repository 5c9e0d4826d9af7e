import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/*
 * Runs a bounded test of this folder as a long one: `npm run fuzz -- --cases 100000 --seed 1`, `npm run fuzz -- --texts 1000000`,
 * `npm run slow-clients -- --connections 1000 --seconds 60`. `npm run budget` writes its figures into docs/security.md.
 */
const runs: Record<string, Record<string, string>> = {
  fuzz: { cases: 'FUZZ_CASES', seed: 'FUZZ_SEED', texts: 'FUZZ_TEXTS' },
  'slow-clients': { connections: 'SLOW_CONNECTIONS', seconds: 'SLOW_SECONDS' },
  budget: {},
};

/** Those that `npm test` leaves out. */
const CONFIG: Record<string, string | undefined> = { budget: 'jest.more.config.js' };

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
const folder = mkdtempSync(join(tmpdir(), 'tillfront-figures-'));
const table = join(folder, 'table.md');
const { status } = spawnSync(
  process.execPath,
  [...jest, '--config', CONFIG[name] ?? 'jest.config.js', `test/security/${spec}.spec.ts`],
  {
    stdio: 'inherit',
    env: { ...process.env, ...environment, BUDGET_TABLE: table },
  },
);
// Figures of a run that failed are no figures.
if (name === 'budget' && status === 0) document(readFileSync(table, 'utf8'));
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 1);

/** Puts the table between its marks. */
function document(figures: string): void {
  const file = fileURLToPath(new URL('../../docs/security.md', import.meta.url));
  const text = readFileSync(file, 'utf8');
  const [begin, end] = ['<!-- budget: begin -->\n', '<!-- budget: end -->'];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (from < begin.length || to < from) throw new Error('docs/security.md has no place for the figures');
  writeFileSync(file, `${text.slice(0, from)}\n${figures}\n${text.slice(to)}`);
}
