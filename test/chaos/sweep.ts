import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * `npm run chaos:sweep`: everything that the chaos harness and the model can do, on both stores, one after the other. Writes its
 * figures into docs/reliability.md.
 */

const HELP = `npm run chaos:sweep -- [options]
  --seed N       what all chance comes from (default 1)
  --worlds N     worlds at a time (default 2)
  --trials N     trials in which chance decides, of each kind (default 300)
  --sequences N  sequences of the model on each store (default 1000)
  --points N     of the surveyed boundaries only so many (default: all)
  --dry          prints the figures and writes nothing`;

const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '2' },
    trials: { type: 'string', default: '300' },
    sequences: { type: 'string', default: '1000' },
    points: { type: 'string' },
    dry: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const DOCUMENT = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));
const BEGIN = '<!-- figures of npm run chaos:sweep -->';
const END = '<!-- end of the figures -->';
const COLUMNS = {
  chaos: ['trials', 'crashes', 'stops', 'clockSteps', 'faults', 'payments', 'charges', 'events', 'failed'],
  model: ['sequences', 'steps', 'deaths', 'clockSteps', 'payments', 'charges', 'failed'],
} as const;

interface Line {
  command: string;
  figures: Readonly<Record<string, number>>;
}

/** Runs one command to its end; its last line of figures says what came of it. */
function run(script: 'chaos' | 'model', args: readonly string[]): Line {
  const command = `npm run ${script} -- ${args.join(' ')}`;
  process.stdout.write(`${command}\n`);
  const main = fileURLToPath(new URL(`../${script}/main.ts`, import.meta.url));
  const { stdout, stderr, error } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error) throw error;
  const figures = new Map<string, number>();
  for (const line of stdout.split('\n')) {
    if (!/seed \d+: (?:trials|sequences) \d+/.test(line)) continue;
    for (const [, name = '', value] of line.matchAll(/(\w+) (\d+)(?=,|$)/g))
      figures.set(name, (figures.get(name) ?? 0) + Number(value));
  }
  if (figures.size === 0) throw new Error(`${command} came to no end:\n${stdout}${stderr}`);
  process.stdout.write(`${[...figures].map(([name, value]) => `${name} ${value}`).join(', ')}\n`);
  return { command, figures: Object.fromEntries(figures) };
}

function table(columns: readonly string[], lines: readonly Line[]): string {
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['command', ...columns]),
    row(['---', ...columns.map(() => '---')]),
    ...lines.map(({ command, figures }) =>
      row([`\`${command}\``, ...columns.map((column) => figures[column] ?? 0)]),
    ),
  ].join('\n');
}

function write(text: string): void {
  const document = readFileSync(DOCUMENT, 'utf8');
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${DOCUMENT} has no place for figures: ${BEGIN} … ${END}`);
  writeFileSync(DOCUMENT, `${document.slice(0, begin + BEGIN.length)}\n\n${text}\n\n${document.slice(end)}`);
}

function sweep(): void {
  const { seed, worlds, trials, sequences, points } = given;
  const usual = ['--seed', seed, '--worlds', worlds, '--bundled', '--quiet'];
  const swept = ['--sweep', ...(points === undefined ? [] : ['--trials', points])];
  const postgres = ['--store', 'postgres'];
  const chaos = [
    [...usual, ...swept],
    [...usual, '--random', '--trials', trials],
    [...usual, ...postgres, ...swept],
    [...usual, ...postgres, '--apart', '20', '--random', '--trials', trials],
  ].map((args) => run('chaos', args));
  const model = ['embedded', 'postgres'].map((store) =>
    run('model', ['--store', store, '--seed', seed, '--runs', sequences, '--worlds', worlds]),
  );
  const text = `${table(COLUMNS.chaos, chaos)}\n\n${table(COLUMNS.model, model)}`;
  if (given.dry) process.stdout.write(`${text}\n`);
  else write(text);
  process.exitCode = [...chaos, ...model].some(({ figures }) => figures['failed'] !== 0) ? 1 : 0;
}

if (given.help) process.stdout.write(`${HELP}\n`);
else sweep();
