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

/** Tries all mutants, or only those that are named, and then leaves the page as it is. */
export async function tryMutants(minutes: number, from: number, only: readonly string[]): Promise<void> {
  const tried: Tried[] = [];
  for (const name of only.length > 0 ? only : Object.keys(MUTANTS)) {
    const one = await tryMutant(name, minutes, from);
    console.log(
      `${name}: ${one.seed === undefined ? 'not found' : `seed ${one.seed}`} after ${one.seconds} s ${one.what}`,
    );
    tried.push(one);
  }
  if (only.length === 0) write(tried, minutes);
}

/** Which worlds fail without a mutant, of those that were looked at. */
const fails = new Map<number, boolean>();

/** A world that fails without the mutant too says nothing about it. */
async function isFine(seed: number): Promise<boolean> {
  const known = fails.get(seed) ?? failureIn(await simulate('--seed', String(seed))) !== undefined;
  fails.set(seed, known);
  return !known;
}

async function tryMutant(name: string, minutes: number, from: number): Promise<Tried> {
  let seconds = 0;
  for (let next = from; seconds < minutes * 60;) {
    const left = String(minutes - seconds / 60);
    const output = await simulate('--mutant', name, '--minutes', left, '--from', String(next), '--large');
    seconds += secondsIn(output);
    const found = failureIn(output);
    if (!found) break;
    if (await isFine(found.seed)) return { name, seconds: Math.round(seconds), ...found };
    next = found.seed + 1;
  }
  return { name, seconds: Math.round(seconds), seed: undefined, what: '' };
}

async function simulate(...options: string[]): Promise<string> {
  const child = spawn(process.execPath, [main, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}

function failureIn(output: string): { seed: number; what: string } | undefined {
  const found = /^seed (\d+), after [\d.]+ s: (.*)$/m.exec(output);
  return found ? { seed: Number(found[1]), what: found[2]?.slice(0, 100) ?? '' } : undefined;
}

/** Of processor time, so that a busy machine changes nothing. */
function secondsIn(output: string): number {
  return Number(/of which ([\d.]+) s processor time/.exec(output)?.[1] ?? 0);
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
