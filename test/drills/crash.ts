import { pause, type Drill } from './bench.ts';

/** A payment's lease lasts 8 s: what the process held is taken over before it goes on. */
const STOPPED_MS = 10_000;

export const crash: Drill = {
  about: 'a process is killed amid payments (kill -9), another stands still for 10 s (SIGSTOP)',
  page: 'a-replica-starts-again-and-again',
  stores: ['embedded', 'postgres'],
  quick: true,
  run: async (bench, kind) => {
    const store = await bench.store(kind);
    const first = await bench.start(store);
    if (kind === 'postgres') await bench.start(store);
    const load = bench.load();
    await bench.more(load);
    await bench.timed(
      'paying again after kill -9',
      () => void first.kill().then(() => bench.start(store)),
      () => bench.paying(),
    );
    await bench.more(load);
    const { pid } = bench.till;
    process.kill(pid, 'SIGSTOP');
    await pause(STOPPED_MS);
    await bench.timed(
      'paying again after SIGSTOP',
      () => process.kill(pid, 'SIGCONT'),
      () => bench.paying(),
    );
    await bench.more(load);
  },
};
