import { parseArgs } from 'node:util';
import { BEGINNINGS } from './beginnings.js';
import { tameChance } from './chance.js';
import { RealWorld } from './real/real-world.js';
import { servicesVariable, startServices } from '../setup/services.js';
import { realNow, virtualize } from './virtual-time.js';
import { runBeginning, runSeed } from './world.js';

/** Runs worlds until a failure, or until enough payments were fine. */

const { values } = parseArgs({
  options: {
    /** This world alone. */
    seed: { type: 'string' },
    /** This beginning alone; `all`: each of them. */
    beginning: { type: 'string' },
    /** Worlds from this seed on. */
    from: { type: 'string', default: '1' },
    payments: { type: 'string', default: '200' },
    /** At most so many minutes of processor time; without it the seeds alone decide. */
    minutes: { type: 'string', default: 'Infinity' },
    log: { type: 'boolean', default: false },
    /** The built service in real processes, on this store. */
    real: { type: 'boolean', default: false },
    store: { type: 'string', default: 'embedded' },
    /** Goes on after a failure. */
    all: { type: 'boolean', default: false },
  },
});

async function main(): Promise<number> {
  if (values.real) return real();
  tameChance();
  virtualize();
  if (values.seed !== undefined)
    return report(`seed ${values.seed}`, await runSeed(Number(values.seed), values.log));
  const names =
    values.beginning === 'all' ? Object.keys(BEGINNINGS) : values.beginning ? [values.beginning] : [];
  if (names.length > 0) {
    let failed = 0;
    for (const name of names) failed += report(name, await runBeginning(name, values.log));
    return Math.min(1, failed);
  }
  const began = realNow();
  const spent = process.cpuUsage();
  const minutes = (): number => {
    const { user, system } = process.cpuUsage(spent);
    return (user + system) / 60e6;
  };
  let [worlds, payments, failed] = [0, 0, 0];
  for (
    let seed = Number(values.from);
    payments < Number(values.payments) && minutes() < Number(values.minutes);
    seed++
  ) {
    const outcome = await runSeed(seed);
    worlds += 1;
    payments += outcome.payments;
    if (outcome.failure === undefined) continue;
    failed += 1;
    console.log(`seed ${seed}: ${outcome.failure}`);
    if (!values.all) break;
  }
  const rate = Math.round(payments / minutes());
  console.log(
    `${worlds} worlds, ${payments} payments, ${failed} failed; ${rate} payments a minute of one core, ${Math.round((realNow() - began) / 1_000)} s`,
  );
  return failed > 0 ? 1 : 0;
}

async function real(): Promise<number> {
  const [seed, payments] = [Number(values.seed ?? values.from), Number(values.payments)];
  const store = values.store === 'postgres' ? 'postgres' : 'embedded';
  const services = process.env[servicesVariable] === undefined ? await startServices() : undefined;
  const outcome = await RealWorld.run({ seed, payments, store, log: values.log });
  await services?.stop();
  for (const fault of outcome.faults) console.log(fault);
  console.log(`seed ${seed} on ${store}: ${outcome.payments} payments, ${outcome.faults.length} faults`);
  return Math.min(1, outcome.faults.length);
}

function report(
  name: string,
  { failure, log }: { failure: string | undefined; log: readonly string[] },
): number {
  for (const line of log) console.log(line);
  console.log(`${name}: ${failure ?? 'fine'}`);
  return failure === undefined ? 0 : 1;
}

process.exitCode = await main();
