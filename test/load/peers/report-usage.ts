import { writeFileSync } from 'node:fs';
import type { Session } from 'node:inspector/promises';

/** Loaded into each measured process: does what the bench asks by message, and answers with what the process has used so far. */
let profiling: Session | undefined;
const EVERY_MICROSECONDS = 250;

async function startProfile(): Promise<void> {
  // Only for who wants it: the start of every process is measured.
  const { Session } = await import('node:inspector/promises');
  profiling = new Session();
  profiling.connect();
  await profiling.post('Profiler.enable');
  await profiling.post('Profiler.setSamplingInterval', { interval: EVERY_MICROSECONDS });
  await profiling.post('Profiler.start');
}

async function endProfile(file: string): Promise<void> {
  const { profile } = (await profiling?.post('Profiler.stop')) ?? {};
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

/** What the bench asks: `usage`, or the beginning or the end of a profile or of a watch over the event loop. */
export type Wish =
  | { do: 'usage' }
  | { do: 'profile' }
  | { do: 'end-profile'; file: string }
  | { do: 'watch' }
  | { do: 'end-watch'; file: string };

async function fulfil(wish: Wish): Promise<void> {
  if (wish.do === 'profile') await startProfile();
  else if (wish.do === 'end-profile') await endProfile(wish.file);
  else if (wish.do === 'watch') await startWatch();
  else if (wish.do === 'end-watch') await stopWatch(wish.file);
}

process.on('message', (wish: Wish) => {
  void fulfil(wish).then(() => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 1024 / 1024 });
  });
});
// Being asked about must not keep a process alive.
process.channel?.unref();
