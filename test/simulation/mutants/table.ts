import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MUTANTS } from './mutants.ts';

/** Tries every mutant in a process of its own, and writes into the documentation which are found. */

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const page = fileURLToPath(new URL('../../../docs/reliability.md', import.meta.url));
const BEGIN = '<!-- mutants: npm run simulate -- --mutants -->';
const END = '<!-- end of mutants -->';

interface Tried {
  name: string;
  seed: number | undefined;
  what: string;
  seconds: number;
}

export async function tryMutants(minutes: number, from: number): Promise<void> {
  const tried: Tried[] = [];
  for (const name of Object.keys(MUTANTS)) {
    const one = await tryMutant(name, minutes, from);
    console.log(
      `${name}: ${one.seed === undefined ? 'not found' : `seed ${one.seed}`} after ${one.seconds} s ${one.what}`,
    );
    tried.push(one);
  }
  write(tried, minutes);
}

async function tryMutant(name: string, minutes: number, from: number): Promise<Tried> {
  const begun = performance.now();
  const options = ['--mutant', name, '--minutes', String(minutes), '--from', String(from), '--large'];
  const child = spawn(process.execPath, [main, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise((resolve) => child.once('close', resolve));
  const found = /^seed (\d+), after [\d.]+ s: (.*)$/m.exec(output);
  const seconds = Math.round((performance.now() - begun) / 1000);
  return { name, seconds, seed: found ? Number(found[1]) : undefined, what: found?.[2]?.slice(0, 100) ?? '' };
}

function write(tried: readonly Tried[], minutes: number): void {
  const found = tried.filter(({ seed }) => seed !== undefined);
  const share = Math.round((found.length / tried.length) * 100);
  const rows = tried.map(({ name, seed, seconds }) => `| \`${name}\` | ${seed ?? '–'} | ${seconds} |`);
  const table = [
    BEGIN,
    '',
    `${found.length} of ${tried.length} are found (${share} %), each within ${minutes} minutes.`,
    '',
    '| without a rule | seed that finds it | seconds |',
    '|---|---|---|',
    ...rows,
    '',
    END,
  ].join('\n');
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`There is no place for the table in ${page}`);
  writeFileSync(page, `${before}${table}${after}`);
}
