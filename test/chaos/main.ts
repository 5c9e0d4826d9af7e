import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { buildOnce } from '../setup/build.ts';
import { bundle } from '../setup/bundle.ts';
import { startPostgres, type PostgresCluster } from '../setup/postgres-cluster.ts';
import { planCrash, readPoint, surveyBoundaries, writePoint, type CrashPoint } from './catalogue.ts';
import { Figures } from './figures.ts';
import { SABOTAGES, type SabotageName } from './preload/sabotage.ts';
import { Random } from './random.ts';
import { runTrial } from './trial.ts';
import { drawTrial } from './trial-plan.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { World, type WorldOptions } from './world.ts';

/**
 * `npm run chaos`: as many trials as wanted, all of which one seed decides. Every second one ends the process at the
 * next boundary of a survey of all of them; the others are left to chance.
 */

const HELP = `npm run chaos -- [options]
  --seed N          what all chance comes from (default 1)
  --trials N        how many (default 50; of a sweep: one for each boundary)
  --from N          the number of the first one; "--from 7 --trials 1" repeats trial 7
  --store S         embedded (default) or postgres
  --replicas N      processes on one database (postgres; default 2)
  --apart N         by how many minutes the replicas' wall clocks differ (default 0)
  --worlds N        trials at a time, each in a world of its own (default 1)
  --speed N         how many times faster the service's clocks run (default 6)
  --bundled         the service in one file: the same code, of which a process starts in half the time
  --sweep           every trial, not only every second one, ends the process at the survey's next boundary
  --random          no survey: chance decides all trials
  --point P         instead of the survey's: the one boundary that all odd trials end the process at
  --sabotage S      a build that breaks a promise: ${Object.keys(SABOTAGES).join(', ')}
  --quiet           only failures and the figures at the end`;

const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    trials: { type: 'string' },
    from: { type: 'string', default: '0' },
    store: { type: 'string', default: 'embedded' },
    replicas: { type: 'string' },
    apart: { type: 'string', default: '0' },
    worlds: { type: 'string', default: '1' },
    speed: { type: 'string', default: '6' },
    bundled: { type: 'boolean', default: false },
    sweep: { type: 'boolean', default: false },
    random: { type: 'boolean', default: false },
    point: { type: 'string' },
    sabotage: { type: 'string' },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** So many failures say enough. */
const MOST_FAILURES = 5;
/** A world whose books have grown long is slow to audit: after so many trials a new one begins, on an empty store. */
const TRIALS_A_WORLD = 60;

async function main(): Promise<void> {
  const postgres = given.store === 'postgres';
  const cluster = postgres ? await startPostgres() : undefined;
  const replicas = postgres ? number(given.replicas ?? '2') : 1;
  try {
    const built = await buildOnce();
    const build = given.bundled ? await bundle(built) : built;
    const run = new Run(replicas, async () => World.start(await worldOptions(build, cluster, replicas)));
    await run.all();
  } finally {
    await cluster?.stop();
  }
}

/** All trials of one call, in as many worlds at a time as wanted. */
class Run {
  readonly #seed = number(given.seed);
  #end = number(given.from) + number(given.trials ?? '50');
  readonly #figures = new Figures();
  readonly #replicas: number;
  readonly #makeWorld: () => Promise<World>;
  #next = number(given.from);
  #points: CrashPoint[] = [];

  constructor(replicas: number, makeWorld: () => Promise<World>) {
    this.#replicas = replicas;
    this.#makeWorld = makeWorld;
  }

  async all(): Promise<void> {
    const begun = performance.now();
    // Whoever has seen enough is told what was seen.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (this.#end = 0));
    this.#points = await this.#findPoints();
    if (given.sweep && given.trials === undefined) this.#end = this.#next + this.#points.length;
    const worlds = Math.max(1, Math.min(number(given.worlds), this.#end - this.#next));
    await Promise.all(Array.from({ length: worlds }, () => this.#work()));
    const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
    say(`seed ${this.#seed}: ${this.#figures.text()}, ${minutes} min`);
    process.exitCode = this.#figures.failed > 0 ? 1 : 0;
  }

  async #findPoints(): Promise<CrashPoint[]> {
    if (given.random) return [];
    if (given.point !== undefined) return [readPoint(given.point)];
    const world = await this.#makeWorld();
    try {
      const points = await surveyBoundaries(world);
      say(`${points.length} boundaries on ${new Set(points.map(({ way }) => way)).size} ways`);
      return new Random(this.#seed).shuffled(points);
    } finally {
      await world.end();
    }
  }

  async #work(): Promise<void> {
    while (this.#goesOn()) {
      const world = await this.#makeWorld();
      try {
        for (let used = 0; used < TRIALS_A_WORLD && this.#goesOn(); used++) {
          // What is broken must not be blamed on the next trial too.
          if (!(await this.#try(world, this.#next++))) break;
        }
      } finally {
        await world.end();
      }
    }
  }

  #goesOn(): boolean {
    return this.#next < this.#end && this.#figures.failed < MOST_FAILURES;
  }

  /** True where everything was held. */
  async #try(world: World, trial: number): Promise<boolean> {
    const random = Random.of(this.#seed, trial);
    const point = this.#pointOf(trial);
    const plan = point ? planCrash(point, random, this.#replicas) : drawTrial(random, this.#replicas);
    const started = performance.now();
    const result = await runTrial(world, plan, `T${this.#seed}-${trial}`, random);
    this.#figures.add(result);
    const took = `${(performance.now() - started).toFixed(0)} ms`;
    const what = plan.purchases.map(({ name }) => name).join(' | ');
    if (!given.quiet) say(`${trial}: ${what}: ${result.struck.join(', ') || 'no order struck'}: ${took}`);
    if (result.violations.length === 0) return true;
    this.#report(trial, point, result.violations, world);
    return false;
  }

  #pointOf(trial: number): CrashPoint | undefined {
    if (given.sweep) return this.#points[trial % this.#points.length];
    return trial % 2 === 1 ? this.#points[((trial - 1) / 2) % this.#points.length] : undefined;
  }

  #report(trial: number, point: CrashPoint | undefined, violations: string[], world: World): void {
    const broken = violations.map((what) => `  - ${what}`).join('\n');
    const at = point ? ['--point', `'${writePoint(point)}'`] : [];
    const replaced = ['--from', '--trials', '--worlds', '--point'];
    const kept = process.argv.slice(2).filter((word, index, all) => {
      return !replaced.some((name) => word === name || all[index - 1] === name);
    });
    const file = join(mkdtempSync(join(tmpdir(), 'tillfront-chaos-history-')), 'history.txt');
    writeFileSync(file, `${broken}\n\n${world.history.text()}\n`);
    say(
      [
        `\nTRIAL ${trial} OF SEED ${this.#seed} HAS FAILED:\n${broken}`,
        `again: npm run chaos -- ${[...kept, '--from', trial, '--trials', 1, ...at].join(' ')}`,
        `its history: ${file}`,
        ...(given.quiet ? [] : [`${world.history.text()}\n`]),
      ].join('\n'),
    );
  }
}

async function worldOptions(
  build: string,
  cluster: PostgresCluster | undefined,
  replicas: number,
): Promise<WorldOptions> {
  const { sabotage } = given;
  if (sabotage !== undefined && !(sabotage in SABOTAGES)) throw new Error(`no sabotage "${sabotage}"`);
  if (sabotage !== undefined && given.bundled) throw new Error('a sabotage takes the modules one by one');
  return {
    build,
    replicas,
    speed: number(given.speed),
    clockOffsets: Array.from({ length: replicas }, (_, index) => index * number(given.apart) * 60_000),
    ...(cluster && { databaseUrl: await newDatabase(cluster.url), databaseLine: await lineTo(cluster.url) }),
    ...(sabotage !== undefined && { sabotage: sabotage as SabotageName }),
  };
}

/** Of each world its own: it is cut again and again. */
async function lineTo(url: string): Promise<TcpProxy> {
  const line = new TcpProxy({ host: '127.0.0.1', port: Number(new URL(url).port) });
  await line.start();
  return line;
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
