import { fileURLToPath } from 'node:url';
import { compilePeer } from './compile-peer.ts';
import type { Servers } from './figures-files.ts';
import { makeLogSegments } from './log-segments.ts';
import { SCENARIOS, SERVERS } from './names.ts';
import { postgresPeerStore, sqlitePeerStore } from './peer-store.ts';
import type { Places } from './replicas.ts';
import { runScenarios, warmUp, type Run, type Scenario } from './scenario.ts';
import { median } from './statistics.ts';
import { createDatabase, startPeer, startService, type Subject } from './subject.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const STARTS = 3;
/** Rounds where tails are compared: the slowest hundredth of one round says little. */
const TAIL_ROUNDS = 9;
const PRESSED = [
  SERVERS.durableLimit,
  SERVERS.express,
  SERVERS.expressPg,
  SERVERS.nestTypeorm,
  SERVERS.embedded,
  SERVERS.postgres,
];

export const scenarios: readonly Scenario[] = [
  { name: 'concurrency 1', delayMs: 0, load: { concurrency: 1 }, payments: 300 },
  { name: SCENARIOS.concurrency32, delayMs: 0, load: { concurrency: 32 }, payments: 1_500 },
  { name: SCENARIOS.concurrency256, delayMs: 0, load: { concurrency: 256 }, payments: 1_500 },
  { name: 'concurrency 32, gateway 50 ms', delayMs: 50, load: { concurrency: 32 }, payments: 1_000 },
  { name: 'concurrency 256, gateway 50 ms', delayMs: 50, load: { concurrency: 256 }, payments: 1_500 },
  { name: SCENARIOS.quiet300, delayMs: 50, load: { perSecond: 300 }, payments: 1_500, rounds: TAIL_ROUNDS },
  {
    ...{ name: SCENARIOS.taken150, delayMs: 50, load: { perSecond: 150 }, payments: 900 },
    ...{ coreTaken: true, rounds: TAIL_ROUNDS, only: PRESSED },
  },
  {
    ...{ name: SCENARIOS.taken300, delayMs: 50, load: { perSecond: 300 }, payments: 1_500 },
    ...{ coreTaken: true, rounds: TAIL_ROUNDS, only: PRESSED },
  },
];

/** For people who change things: what the first goals need, in a few minutes. */
export const quickScenarios: readonly Scenario[] = [
  { name: SCENARIOS.concurrency32, delayMs: 0, load: { concurrency: 32 }, payments: 800 },
  { name: SCENARIOS.taken150, delayMs: 50, load: { perSecond: 150 }, payments: 300, coreTaken: true },
  { name: SCENARIOS.taken300, delayMs: 50, load: { perSecond: 300 }, payments: 450, coreTaken: true },
];

/** How each server is started, by the name that `--profile` takes. */
export async function starters({
  build,
  gatewayPort,
  postgresUrl,
}: Places): Promise<Map<string, { name: string; start: () => Promise<Subject> }>> {
  const database = (name: string): Promise<string> => createDatabase(postgresUrl, `bench_${name}`);
  const [expressUrl, typeormUrl, ownUrl] = [
    await database('express'),
    await database('typeorm'),
    await database('tillfront'),
  ];
  const peer = (name: string, program: () => string, store?: Parameters<typeof startPeer>[0]['store']) => ({
    name,
    start: () => startPeer({ name, program: program(), gatewayPort, ...(store && { store }) }),
  });
  return new Map([
    ['raw', peer(SERVERS.raw, () => path('peers/raw.ts'))],
    [
      'durable-limit',
      {
        name: SERVERS.durableLimit,
        start: () =>
          startPeer({
            ...{ name: SERVERS.durableLimit, program: path('peers/durable-limit.ts'), gatewayPort },
            store: sqlitePeerStore(),
          }),
      },
    ],
    ['express', peer(SERVERS.express, () => path('peers/express-axios.ts'))],
    [
      'express-pg',
      peer(SERVERS.expressPg, () => path('peers/express-axios-pg.ts'), postgresPeerStore(expressUrl)),
    ],
    ['nest', peer(SERVERS.nest, () => compilePeer('nest-express'))],
    [
      'nest-typeorm',
      peer(SERVERS.nestTypeorm, () => compilePeer('nest-typeorm'), postgresPeerStore(typeormUrl)),
    ],
    [
      'embedded',
      {
        name: SERVERS.embedded,
        start: () => startService({ name: SERVERS.embedded, build, gatewayPort }),
      },
    ],
    [
      'postgres',
      {
        name: SERVERS.postgres,
        start: () => startService({ name: SERVERS.postgres, build, gatewayPort, databaseUrl: ownUrl }),
      },
    ],
  ]);
}

/** All servers, or the named ones, in the given scenarios. */
export async function measureServers(
  places: Places,
  run: Run,
  options: { scenarios: readonly Scenario[]; without?: readonly string[]; warmUp: number; quick: boolean },
): Promise<Servers> {
  const all = [...(await starters(places))].filter(([key]) => !options.without?.includes(key));
  const startMs = new Map<string, number>();
  if (!options.quick) for (const [key, { start }] of all) startMs.set(key, await medianStart(start));
  const subjects: Subject[] = [];
  try {
    for (const [, { start }] of all) subjects.push(await start());
    if (!options.quick) await makeLogSegments(places.postgresUrl);
    for (const { proof } of subjects) await proof?.prove(run.setDelay);
    await run.setDelay(0);
    await warmUp(subjects, options.warmUp);
    const measurements = await runScenarios(subjects, options.scenarios, run);
    const processes = await Promise.all(
      subjects.map(async (subject, index) => ({
        name: subject.name,
        startMs: startMs.get(all[index]?.[0] ?? '') ?? subject.startMs,
        rssMb: (await subject.usage()).rssMb,
      })),
    );
    return { rounds: run.rounds, measurements, processes };
  } finally {
    for (const subject of subjects) await subject.stop();
    await run.setDelay(0);
  }
}

/** Several starts, each alone: the first one finds nothing in the disk's cache. */
async function medianStart(start: () => Promise<Subject>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < STARTS; round++) {
    const subject = await start();
    times.push(subject.startMs);
    await subject.stop();
  }
  return median(times);
}
