import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { IN_CONTAINER } from '../harness/in-container.ts';
import { buildOnce } from '../setup/build.ts';
import { figuresFolder, keepFigures, readFigures, type Soak } from './figures-files.ts';
import { closedLoop, openLoop, type IsRight } from './http-load.ts';
import { MeasuredProcess } from './measured-process.ts';
import { writeReport } from './report.ts';
import { median } from './statistics.ts';
import { startService } from './subject.ts';

/**
 * Half of what the service can do, for half an hour (`--minutes`): its memory must not grow. Ends with code 1 where it does. `--write` keeps
 * the figures and writes the page.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, write: { type: 'boolean', default: false } },
});
const minutes = Number(values.minutes);
const MOST_MB = 250;
/** What the last quarter of the time may use above the second one: caches are full by then, so the rest is a leak. */
const GROWTH_MB = 25;
const STEP_SECONDS = 10;

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const gateway = await MeasuredProcess.start(path('peers/gateway.ts'), {}, { readyPath: '/delay/0' });
const service = await startService({
  name: 'Tillfront',
  build: await buildOnce(),
  gatewayPort: gateway.port,
  ...IN_CONTAINER,
});
let refused = 0;
/** What is refused at the door, before anything has begun, is counted: it is no wrong answer, and no payment. */
const isRight: IsRight = (answer) => {
  if (answer.status !== 503) return service.isRight(answer);
  refused += 1;
  return undefined;
};

/** Payments a second that it does at its best, with the sessions that they need. */
async function peak(): Promise<number> {
  const begun = performance.now();
  const payments = await service.prepare(2_000);
  await closedLoop(service.port, payments, 32, isRight);
  return 2_000 / ((performance.now() - begun) / 1000);
}

await peak();
const perSecond = Math.round((await peak()) / 2);
const samples: number[] = [];
refused = 0;
let paid = 0;
const until = performance.now() + minutes * 60_000;
while (performance.now() < until) {
  const payments = await service.prepare(perSecond * STEP_SECONDS);
  const { wrong, times } = await openLoop(service.port, payments, perSecond, isRight);
  if (wrong > 0) throw new Error(`${wrong} of ${payments.length} answers were wrong`);
  paid += times.length;
  samples.push((await service.usage()).rssMb);
  process.stdout.write(`${paid} paid, ${samples.at(-1)?.toFixed(0)} MB\n`);
}
await service.stop();
await gateway.stop();

const quarter = Math.max(1, Math.floor(samples.length / 4));
const second = median(samples.slice(quarter, 2 * quarter));
const last = median(samples.slice(-quarter));
const most = Math.max(...samples);
const soak: Soak = {
  ...{ minutes, perSecond, paid, refused },
  ...{ secondQuarterMb: second, lastQuarterMb: last, mostMb: most },
};
process.stdout.write(
  `${second.toFixed(0)} MB in the second quarter of the time, ${last.toFixed(0)} MB in the last, at most ${most.toFixed(0)} MB\n`,
);
if (values.write) {
  keepFigures(figuresFolder, 'soak', soak);
  writeFileSync(path('../../docs/performance.md'), writeReport(readFigures(figuresFolder)));
}
process.exit(last - second > GROWTH_MB || most > MOST_MB ? 1 : 0);
