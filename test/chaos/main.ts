import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { buildOnce } from '../setup/build.ts';
import { startPostgres, type PostgresCluster } from '../setup/postgres-cluster.ts';
import { planCrash, surveyBoundaries, type CrashPoint } from './catalogue.ts';
import { Figures } from './figures.ts';
import { SABOTAGES, type SabotageName } from './preload/sabotage.ts';
import { Random } from './random.ts';
import { runTrial } from './trial.ts';
import { drawTrial } from './trial-plan.ts';
import { World, type WorldOptions } from './world.ts';

/**
 * `npm run chaos`: as many trials as wanted, all of which one seed decides. Every second one ends the process at the
 * next boundary of a survey of all of them; the others are left to chance.
 */

const HELP = `npm run chaos -- [options]
  --seed N          what all chance comes from (default 1)
  --trials N        how many (default 50)
  --from N          the number of the first one; "--from 7 --trials 1" repeats trial 7
  --store S         embedded (default) or postgres
  --replicas N      processes on one database (postgres; default 2)
  --speed N         how many times faster the service's clocks run (default 6)
  --random          no survey: chance decides all trials
  --sabotage S      a build that breaks a promise: ${Object.keys(SABOTAGES).join(', ')}
  --quiet           one line a failure and the figures at the end`;

const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    trials: { type: 'string', default: '50' },
    from: { type: 'string', default: '0' },
    store: { type: 'string', default: 'embedded' },
    replicas: { type: 'string' },
    speed: { type: 'string', default: '6' },
    random: { type: 'boolean', default: false },
    sabotage: { type: 'string' },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** So many failures say enough. */
const MOST_FAILURES = 5;

async function main(): Promise<void> {
  const seed = number(given.seed);
  const first = number(given.from);
  const postgres = given.store === 'postgres';
  const replicas = postgres ? number(given.replicas ?? '2') : 1;
  const cluster = postgres ? await startPostgres() : undefined;
  const makeWorld = async (): Promise<World> => World.start(await worldOptions(cluster, replicas));
  const begun = performance.now();
  const figures = new Figures();
  let world = await makeWorld();
  try {
    const points = given.random ? [] : await survey(world, seed);
    for (let trial = first; trial < first + number(given.trials); trial++) {
      const random = Random.of(seed, trial);
      const point = trial % 2 === 1 ? points[((trial - 1) / 2) % points.length] : undefined;
      const plan = point ? planCrash(point, random, replicas) : drawTrial(random, replicas);
      const started = performance.now();
      const result = await runTrial(world, plan, `T${seed}-${trial}`, random);
      figures.add(result);
      const took = `${(performance.now() - started).toFixed(0)} ms`;
      const what = plan.purchases.map(({ name }) => name).join(' | ');
      if (!given.quiet) say(`${trial}: ${what}: ${result.struck.join(', ') || 'no order struck'}: ${took}`);
      if (result.violations.length === 0) continue;
      report(seed, trial, result.violations, world);
      if (figures.failed >= MOST_FAILURES) break;
      // What is broken must not be blamed on the next trial too.
      await world.end();
      world = await makeWorld();
    }
  } finally {
    await world.end();
    await cluster?.stop();
  }
  say(`seed ${seed}: ${figures.text()}, ${((performance.now() - begun) / 60_000).toFixed(1)} min`);
  process.exitCode = figures.failed > 0 ? 1 : 0;
}

async function worldOptions(cluster: PostgresCluster | undefined, replicas: number): Promise<WorldOptions> {
  const { sabotage } = given;
  if (sabotage !== undefined && !(sabotage in SABOTAGES)) throw new Error(`no sabotage "${sabotage}"`);
  return {
    build: await buildOnce(),
    replicas,
    speed: number(given.speed),
    ...(cluster && { databaseUrl: await newDatabase(cluster.url) }),
    ...(sabotage !== undefined && { sabotage: sabotage as SabotageName }),
  };
}

async function newDatabase(superuser: string): Promise<string> {
  const name = `chaos_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: superuser });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(superuser);
  url.pathname = `/${name}`;
  return url.href;
}

async function survey(world: World, seed: number): Promise<CrashPoint[]> {
  const points = await surveyBoundaries(world);
  say(`${points.length} boundaries on ${new Set(points.map(({ way }) => way)).size} ways`);
  return new Random(seed).shuffled(points);
}

function report(seed: number, trial: number, violations: string[], world: World): void {
  say(`\nTRIAL ${trial} OF SEED ${seed} HAS FAILED:\n${violations.map((what) => `  - ${what}`).join('\n')}`);
  const again = process.argv.slice(2).filter((word, index, all) => {
    return !['--from', '--trials'].some((name) => word === name || all[index - 1] === name);
  });
  say(`again: npm run chaos -- ${[...again, '--from', trial, '--trials', 1].join(' ')}`);
  if (!given.quiet) say(`its history:\n${world.history.text()}\n`);
}

function number(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`"${text}" is no whole number`);
  return value;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

if (given.help) say(HELP);
else await main();
