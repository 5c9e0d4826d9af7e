import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildOnce } from '../setup/build.ts';
import { startPostgres, type PostgresCluster } from '../setup/postgres-cluster.ts';
import { figuresFolder, keepFigures, readFigures, type Parts } from './figures-files.ts';
import { measureFreshUnknown } from './fresh-unknown.ts';
import { serverGoals } from './goals.ts';
import { measureGrowth } from './growth.ts';
import { measureInstall } from './install.ts';
import { MeasuredProcess } from './measured-process.ts';
import { SCENARIOS } from './names.ts';
import { drawPlot } from './plot.ts';
import { flame, profile, profileAllocations } from './profile.ts';
import { measureReplicas, type Places } from './replicas.ts';
import { goalLines, writeReport } from './report.ts';
import { measureEmbeddedWrites, measurePostgresWrites, steadyPostgres } from './row-writes.ts';
import type { Run, Scenario } from './scenario.ts';
import { measureSimulation } from './simulation.ts';
import { measureStoreHolds, watchStalls } from './stalls.ts';
import { measureServers, quickScenarios, scenarios, starters } from './servers.ts';
import { measureTestTimes } from './test-times.ts';

const USAGE = `npm run bench -- [part …] [options]

Measures the service against its peers, keeps the figures in test/load/figures and writes docs/performance.md from them. Parts, all but
the last if none is named: servers, writes, replicas, growth, unknown, install, holds (how SQLite holds the main
thread), simulation, tests (runs all tests; needs a quiet machine).

  --quick              three minutes, a table on the terminal, nothing written
  --profile <server>   a CPU profile of raw, durable-limit, express, express-pg, nest, nest-typeorm, embedded or postgres under load
  --flame <server>     the same as a flame graph that a browser opens
  --allocations <server>  where the objects of a payment are made, in KB
  --stalls <server>    what the main thread of a server was doing while its event loop stood still, under the same loads
  --load <scenario>    what the profile is taken of: the beginning of a scenario's name ("concurrency 32"; "150", "300" or "300 a second,
                       gateway 50 ms, one" for a taken core)
  --page               only writes the page, from the figures that there are
  --rounds <n>         rounds of every scenario (5, 9 where tails are compared; quick: 3)
  --stored <n>         payments in the grown stores (10000000)
  --open <n>           open payments beside the fresh unknown one (10000)
  --scale <x>          so many times the payments, for a look whether it works: 0.1 is quick and says nothing
  --into <folder>      where figures and page are written, in place of the project
  --all <s> --fast <s> seconds of "npm test" and "npm run test:quick", measured by hand: keeps them and writes the page
`;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    profile: { type: 'string' },
    flame: { type: 'string' },
    allocations: { type: 'string' },
    stalls: { type: 'string' },
    load: { type: 'string', default: 'concurrency 32' },
    rounds: { type: 'string' },
    stored: { type: 'string', default: '10000000' },
    open: { type: 'string', default: '10000' },
    scale: { type: 'string', default: '1' },
    into: { type: 'string' },
    all: { type: 'string' },
    fast: { type: 'string' },
  },
});
const { quick, into } = values;
const scale = Number(values.scale);
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const figures = into === undefined ? figuresFolder : join(into, 'figures');
const docs = into ?? path('../../docs');
const USUAL = ['servers', 'writes', 'replicas', 'growth', 'unknown', 'install', 'holds', 'simulation'];
const known = [...USUAL, 'tests'];
/** Payments that count what a payment writes. */
const COUNTED = 400;

if (values.help || positionals.some((part) => !known.includes(part))) {
  process.stdout.write(USAGE);
  process.exit(values.help ? 0 : 64);
}
if (values.all !== undefined && values.fast !== undefined) {
  keepFigures(figures, 'tests', { all: Number(values.all), quick: Number(values.fast) });
  writePage();
} else if (values.page) writePage();
else await measure();

async function measure(): Promise<void> {
  const build = await buildOnce();
  const postgres = await startPostgres();
  const gateway = await MeasuredProcess.start(path('peers/gateway.ts'), {}, { readyPath: '/delay/0' });
  const places: Places = { build, gatewayPort: gateway.port, postgresUrl: postgres.url, say };
  const run: Run = {
    rounds: Number(values.rounds ?? (quick ? 3 : 5)),
    setDelay: async (ms) => {
      await fetch(`http://127.0.0.1:${gateway.port}/delay/${ms}`);
    },
    say,
  };
  try {
    if (values.profile !== undefined) await lookInto(places, run, values.profile, profile);
    else if (values.flame !== undefined) await lookInto(places, run, values.flame, flame);
    else if (values.allocations !== undefined)
      await lookInto(places, run, values.allocations, profileAllocations);
    else if (values.stalls !== undefined) await lookInto(places, run, values.stalls, watchStalls);
    else if (quick) await measureQuickly(places, run);
    else await measureParts(places, run, positionals.length > 0 ? positionals : USUAL);
  } finally {
    await gateway.stop();
    await postgres.stop();
  }
}

async function lookInto(places: Places, run: Run, key: string, look: typeof profile): Promise<void> {
  const server = (await starters(places)).get(key);
  const scenario = scaled(scenarios).find(({ name }) => name.startsWith(values.load));
  if (!server || !scenario) throw new Error(`no server "${key}" or no scenario "${values.load}"\n\n${USAGE}`);
  const subject = await server.start();
  try {
    await look(subject, { ...scenario, payments: scenario.payments * 4 }, run, scale);
  } finally {
    await subject.stop();
  }
}

async function measureHolds(places: Places, run: Run): Promise<Parts['holds']> {
  const server = (await starters(places)).get('embedded');
  const scenario = scaled(scenarios).find(({ name }) => name === SCENARIOS.quiet300);
  if (!server || !scenario) throw new Error('the server or the scenario is gone');
  return measureStoreHolds(server.start, scenario, run, scale);
}

async function measureQuickly(places: Places, run: Run): Promise<void> {
  const servers = await measureServers(places, run, {
    scenarios: scaled(quickScenarios),
    without: ['raw', 'nest'],
    warmUp: 1_500 * scale,
    quick: true,
  });
  say('');
  for (const line of goalLines(serverGoals(servers))) say(line);
}

async function measureParts(places: Places, run: Run, parts: readonly string[]): Promise<void> {
  const open = Math.round(Number(values.open) * scale);
  const counted = Math.max(64, Math.round(COUNTED * scale));
  const measuring: { [P in keyof Parts]?: () => Parts[P] | Promise<Parts[P]> } = {
    servers: () =>
      measureServers(places, run, {
        scenarios: scaled(scenarios),
        warmUp: Math.round(20_000 * scale),
        quick: false,
      }),
    replicas: () => measureReplicas(places),
    growth: () => measureGrowth(places, Number(values.stored)),
    unknown: () => measureFreshUnknown(places, open),
    install: measureInstall,
    holds: () => measureHolds(places, run),
    simulation: () => measureSimulation(places.build),
    writes: async () => ({
      postgres: await withSteadyPostgres(({ url }) =>
        measurePostgresWrites({ ...places, payments: counted }, url),
      ),
      embedded: await measureEmbeddedWrites({ ...places, payments: counted }),
    }),
    tests: measureTestTimes,
  };
  const keep = async <P extends keyof Parts>(part: P): Promise<void> => {
    const measured = await measuring[part]?.();
    if (measured) keepFigures(figures, part, measured);
  };
  // The page is written after each part: what was measured is there, whatever becomes of the rest.
  for (const part of known.filter((one) => parts.includes(one))) {
    say(`\n${part}`);
    await keep(part as keyof Parts);
    writePage();
  }
}

async function withSteadyPostgres<T>(work: (cluster: PostgresCluster) => Promise<T>): Promise<T> {
  const cluster = await startPostgres();
  try {
    await steadyPostgres(cluster.url);
    return await work(cluster);
  } finally {
    await cluster.stop();
  }
}

function scaled(list: readonly Scenario[]): Scenario[] {
  return list.map((scenario) => ({
    ...scenario,
    payments: Math.max(20, Math.round(scenario.payments * scale)),
    ...(values.rounds !== undefined && { rounds: Number(values.rounds) }),
  }));
}

function writePage(): void {
  const parts = readFigures(figures);
  mkdirSync(join(docs, 'images'), { recursive: true });
  writeFileSync(join(docs, 'performance.md'), writeReport(parts));
  if (parts.servers)
    writeFileSync(join(docs, 'images', 'performance.svg'), drawPlot(parts.servers.figures.measurements));
  say(`wrote ${join(docs, 'performance.md')}`);
}
