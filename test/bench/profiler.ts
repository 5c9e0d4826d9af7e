import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/** Loaded into a profiled server: the first SIGUSR2 begins, the second writes what ran and what was allocated. */

const file = process.env['BENCH_PROFILE'] ?? '';
const session = new Session();
session.connect();
let running = false;

process.on('SIGUSR2', () => void (running ? end() : begin()));

async function begin(): Promise<void> {
  running = true;
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 8192,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  } as never);
  await session.post('Profiler.start');
  writeFileSync(`${file}.begun`, '');
}

async function end(): Promise<void> {
  const { profile: cpu } = await session.post('Profiler.stop');
  const { profile: heap } = await session.post('HeapProfiler.stopSampling');
  writeFileSync(file, JSON.stringify({ cpu, heap }));
  writeFileSync(`${file}.ended`, '');
}
