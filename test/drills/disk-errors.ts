import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Drill } from './bench.ts';
import { mountSmallDisk } from './small-disk.ts';

export const diskErrors: Drill = {
  about: 'the disk below the embedded store fails (EIO) amid payments, and is mounted again',
  page: 'the-store-does-not-answer',
  stores: ['embedded'],
  run: async (bench) => {
    const disk = mountSmallDisk(bench, 64);
    const dataDir = join(disk.folder, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    const store = await bench.storeAt({ dataDir });
    await bench.start(store);
    const load = bench.load();
    await bench.more(load);
    await bench.timed(
      'noticed',
      () => disk.fail(),
      () => bench.unready(),
    );
    await bench.doctorFails();
    // A disk that failed is mounted again, and the service started on it, as the runbook says.
    const again = async (): Promise<void> => {
      await bench.till.kill();
      disk.mountAgain();
      void bench.start(store);
    };
    await bench.timed('mounted and started again: paying again', again, () => bench.paying());
    await bench.more(load);
  },
};
