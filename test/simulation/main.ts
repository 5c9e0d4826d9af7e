import { parseArgs } from 'node:util';
import { buildOnce } from '../setup/build.ts';
import { beginAll } from './beginnings.ts';
import { loadEngine } from './engine.ts';
import { tryMutants } from './mutants/table.ts';
import { mutate } from './mutants/mutants.ts';
import { tameChance } from './randomness.ts';
import { runWorld, type Outcome } from './run.ts';
import { SharedStore } from './shared-store.ts';
import { shrink } from './shrink.ts';
import { realNow, virtualize } from './virtual-time.ts';

/** Runs worlds until a failure, or until enough of them were fine. What a failure needs is printed, and runs again alike. */

const { values } = parseArgs({
  options: {
    /** This world alone. */
    seed: { type: 'string' },
    /** Parts of it that are left out: what a smaller failing world is made of. */
    without: { type: 'string', default: '' },
    /** Prints what happens in it. */
    log: { type: 'boolean', default: false },
    /** Worlds from this seed on. */
    from: { type: 'string', default: '1' },
    /** These worlds come before the others, with commas between. */
    first: { type: 'string', default: '' },
    /** Of processor time, so that it says the same on a busy machine. */
    minutes: { type: 'string' },
    payments: { type: 'string' },
    /** How every order begins: see `beginnings.ts`. */
    beginning: { type: 'string' },
    /** The service without one mend: see `mutants`. */
    mutant: { type: 'string' },
    /** All mutants, one after the other, each for so many `--minutes`. */
    mutants: { type: 'boolean', default: false },
    /** Only these of them, with commas between. */
    only: { type: 'string', default: '' },
    /** Does not make a failing world smaller. */
    large: { type: 'boolean', default: false },
    /** Goes on after a failure. */
    all: { type: 'boolean', default: false },
  },
});

/** How long a failing world is made smaller. */
const SHRINK_FOR_MS = 60_000;

async function main(): Promise<void> {
  const build = await buildOnce();
  if (values.mutants)
    return tryMutants(Number(values.minutes ?? 10), Number(values.from), listOf(values.only));
  if (values.mutant !== undefined) mutate(values.mutant);
  if (values.beginning !== undefined) beginAll(values.beginning);
  const engine = await loadEngine(build);
  tameChance();
  virtualize();
  await SharedStore.prepare(engine);

  if (values.seed !== undefined) {
    const left = new Set(listOf(values.without));
    const outcome = await runWorld(engine, Number(values.seed), { left, keepsLog: values.log });
    if (values.log) console.log(outcome.log.join('\n'));
    tell(outcome);
    return;
  }

  const begun = realNow();
  const cpu = process.cpuUsage();
  const cpuSeconds = (): number => {
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / 1e6;
  };
  const most = Number(values.payments ?? Infinity);
  const minutes = Number(values.minutes ?? (values.payments === undefined ? 1 : Infinity));
  const sum = { worlds: 0, payments: 0, failing: 0 };
  const first = listOf(values.first).map(Number);
  for (let next = Number(values.from); ;) {
    const seed = first.shift() ?? next++;
    const outcome = await runWorld(engine, seed);
    sum.payments += outcome.payments;
    sum.worlds += 1;
    if (outcome.faults.length > 0) {
      sum.failing += 1;
      tell(outcome);
      if (!values.all) {
        if (!values.large) await tellSmaller(outcome);
        break;
      }
    }
    if (first.length > 0) continue;
    if (sum.payments >= most || cpuSeconds() >= minutes * 60) break;
  }
  const seconds = (realNow() - begun) / 1000;
  const ofProcessor = cpuSeconds();
  const perMinute = Math.round((sum.payments / ofProcessor) * 60);
  console.log(
    `${sum.worlds} worlds, ${sum.payments} payments, ${sum.failing} failed; ${seconds.toFixed(1)} s, of which ${ofProcessor.toFixed(1)} s processor time: ${perMinute} payments a minute of it`,
  );

  async function tellSmaller({ seed, faults }: Outcome): Promise<void> {
    const until = realNow() + SHRINK_FOR_MS;
    const left = await shrink(engine, seed, faults[0]?.what ?? '', () => realNow() < until);
    console.log(
      `smaller: npm run simulate -- --seed ${seed}${mutantOption()} --log --without ${[...left].join(',')}`,
    );
  }
}

const listOf = (text: string): string[] => text.split(',').filter((part) => part !== '');
const mutantOption = (): string => (values.mutant === undefined ? '' : ` --mutant ${values.mutant}`);

function tell({ seed, faults, payments, fired, lasted }: Outcome): void {
  if (faults.length > 0) process.exitCode = 1;
  for (const { at, what } of faults) console.log(`seed ${seed}, after ${(at / 1000).toFixed(1)} s: ${what}`);
  if (faults.length > 0) console.log(`again: npm run simulate -- --seed ${seed}${mutantOption()} --log`);
  else
    console.log(
      `seed ${seed}: ${payments} payments, ${Math.round(lasted / 1000)} s in ${fired} steps, nothing found`,
    );
}

await main();
