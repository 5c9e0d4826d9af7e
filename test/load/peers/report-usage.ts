import { writeFileSync } from 'node:fs';
import type { Session } from 'node:inspector/promises';
import { getHeapStatistics, type HeapInfo } from 'node:v8';

/** Loaded into each measured process: does what the bench asks by message, and answers with what the process has used so far. */
let profiling: Session | undefined;
const EVERY_MICROSECONDS = 250;
const EVERY_BYTES = 8192;

async function startProfile(of: ProfileOf): Promise<void> {
  // Only for who wants it: the start of every process is measured.
  const { Session } = await import('node:inspector/promises');
  profiling = new Session();
  profiling.connect();
  if (of === 'allocations') {
    await profiling.post('HeapProfiler.startSampling', {
      samplingInterval: EVERY_BYTES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    return;
  }
  await profiling.post('Profiler.enable');
  await profiling.post('Profiler.setSamplingInterval', { interval: EVERY_MICROSECONDS });
  await profiling.post('Profiler.start');
}

async function endProfile(of: ProfileOf, file: string): Promise<void> {
  const stop = of === 'allocations' ? 'HeapProfiler.stopSampling' : 'Profiler.stop';
  const ended: unknown = await profiling?.post(stop);
  const { profile } = ended as { profile?: unknown };
  profiling?.disconnect();
  writeFileSync(file, JSON.stringify(profile));
}

async function startWatch(): Promise<void> {
  const { beginWatch } = await import('./stall-watch.ts');
  await beginWatch();
}

async function stopWatch(file: string): Promise<void> {
  const { endWatch } = await import('./stall-watch.ts');
  endWatch(file);
}

/** Where time goes, or where objects are made, also those that were collected since. */
export type ProfileOf = 'time' | 'allocations';

/** What the bench asks: `usage`, or the beginning or the end of a profile or of a watch over the event loop. */
export type Wish =
  | { do: 'usage' }
  | { do: 'profile'; of: ProfileOf }
  | { do: 'end-profile'; of: ProfileOf; file: string }
  | { do: 'watch' }
  | { do: 'end-watch'; file: string };

async function fulfil(wish: Wish): Promise<void> {
  if (wish.do === 'profile') await startProfile(wish.of);
  else if (wish.do === 'end-profile') await endProfile(wish.of, wish.file);
  else if (wish.do === 'watch') await startWatch();
  else if (wish.do === 'end-watch') await stopWatch(wish.file);
}

process.on('message', (wish: Wish) => {
  void fulfil(wish).then(() => {
    const { user, system } = process.cpuUsage();
    const { total_allocated_bytes: allocated } = getHeapStatistics() as HeapInfo & {
      total_allocated_bytes: number;
    };
    process.send?.({
      cpuMs: (user + system) / 1000,
      rssMb: process.memoryUsage.rss() / 1024 / 1024,
      allocatedKb: allocated / 1024,
    });
  });
});
// Being asked about must not keep a process alive.
process.channel?.unref();
