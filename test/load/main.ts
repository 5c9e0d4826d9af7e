import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildOnce } from '../setup/build.ts';
import { startPostgres } from '../setup/postgres-cluster.ts';
import { compilePeer } from './compile-peer.ts';
import { measureGrowth } from './growth.ts';
import { measureInstall } from './install.ts';
import { makeLogSegments } from './log-segments.ts';
import { MeasuredProcess } from './measured-process.ts';
import { drawPlot } from './plot.ts';
import { measureReplicas } from './replicas.ts';
import { writeReport, type Measured } from './report.ts';
import { runScenarios, warmUp, type Scenario } from './scenario.ts';
import { median } from './statistics.ts';
import { createDatabase, startPeer, startService, type Subject } from './subject.ts';

/**
 * Measures the service against its peers and writes `docs/performance.md`. `--quick` takes less than a minute and writes nothing;
 * `--stored` says how many payments the grown stores hold.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    stored: { type: 'string', default: '1000000' },
  },
});
const { quick } = values;
const STARTS = 3;
const rounds = Number(values.rounds ?? (quick ? 3 : 5));
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const allScenarios: Scenario[] = [
  { name: 'concurrency 1', delayMs: 0, load: { concurrency: 1 }, payments: 300 },
  { name: 'concurrency 32', delayMs: 0, load: { concurrency: 32 }, payments: 1_500 },
  { name: 'concurrency 256', delayMs: 0, load: { concurrency: 256 }, payments: 1_500 },
  { name: 'concurrency 1, gateway 50 ms', delayMs: 50, load: { concurrency: 1 }, payments: 40 },
  { name: 'concurrency 32, gateway 50 ms', delayMs: 50, load: { concurrency: 32 }, payments: 1_000 },
  { name: 'concurrency 256, gateway 50 ms', delayMs: 50, load: { concurrency: 256 }, payments: 1_500 },
  { name: '300 a second, gateway 50 ms', delayMs: 50, load: { perSecond: 300 }, payments: 1_500 },
];
const quickScenarios: Scenario[] = [
  { name: 'concurrency 32', delayMs: 0, load: { concurrency: 32 }, payments: 800 },
  { name: '300 a second, gateway 50 ms', delayMs: 50, load: { perSecond: 300 }, payments: 450 },
];

const build = await buildOnce();
const postgres = await startPostgres();
const gateway = await MeasuredProcess.start(path('peers/gateway.ts'), {}, { readyPath: '/delay/0' });
const setDelay = async (ms: number): Promise<void> => {
  await fetch(`http://127.0.0.1:${gateway.port}/delay/${ms}`);
};
const subjects: Subject[] = [];
try {
  const databaseUrl = await createDatabase(postgres.url, 'bench');
  const { port } = gateway;
  const starts: (() => Promise<Subject>)[] = [
    () => startPeer('raw node:http', path('peers/raw.ts'), port),
    () => startPeer('Express + axios', path('peers/express-axios.ts'), port),
    ...(quick ? [] : [() => startPeer('Nest on Express', compilePeer('peers/nest-express.ts'), port)]),
    () => startService({ name: 'Tillfront, embedded store', build, gatewayPort: port }),
    () => startService({ name: 'Tillfront, PostgreSQL', build, gatewayPort: port, databaseUrl }),
  ];
  const startMs: number[] = [];
  for (const start of starts) startMs.push(await medianStart(start));
  for (const start of starts) subjects.push(await start());
  await makeLogSegments(postgres.url);
  await warmUp(subjects, quick ? 1_500 : 20_000);
  const results = await runScenarios(subjects, quick ? quickScenarios : allScenarios, rounds, setDelay, say);
  const processes = await Promise.all(
    subjects.map(async (subject, index) => ({
      name: subject.name,
      startMs: startMs[index] ?? NaN,
      rssMb: (await subject.usage()).rssMb,
    })),
  );
  for (const subject of subjects.splice(0)) await subject.stop();
  await setDelay(0);
  if (!quick) {
    const measured: Measured = {
      machine: `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores shared with the load and the gateway`,
      node: process.version,
      rounds,
      results,
      processes,
      replicas: await measureReplicas({ build, gatewayPort: gateway.port, postgresUrl: postgres.url, say }),
      growth: await measureGrowth(
        { build, gatewayPort: gateway.port, postgresUrl: postgres.url, say },
        Number(values.stored),
      ),
      install: measureInstall(),
    };
    mkdirSync(path('../../docs/images'), { recursive: true });
    const page = path('../../docs/performance.md');
    writeFileSync(page, writeReport(measured, readIfThere(page)));
    writeFileSync(path('../../docs/images/performance.svg'), drawPlot(results));
    say('wrote docs/performance.md');
  }
} finally {
  for (const subject of subjects) await subject.stop();
  await gateway.stop();
  await postgres.stop();
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

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
