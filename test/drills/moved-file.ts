import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Drill } from './bench.ts';

export const movedFile: Drill = {
  about: 'somebody moves the embedded store’s file, then its write-ahead log, while it is in use',
  page: 'the-stores-file-was-replaced',
  stores: ['embedded'],
  quick: true,
  run: async (bench, kind) => {
    const store = await bench.store(kind);
    await bench.start(store);
    const load = bench.load();
    await bench.more(load);
    for (const name of ['tillfront.db', 'tillfront.db-wal']) {
      const [place, aside] = [join(store.dataDir, name), join(bench.folder, name)];
      await bench.timed(
        `${name} away: noticed`,
        () => renameSync(place, aside),
        () => bench.unready(name),
      );
      const said = await bench.doctorFails();
      if (/restore (?:it|the|a|your)\b/i.test(said))
        bench.faults.push('the doctor advises a restore while the service has the file open');
      await bench.timed(
        `${name} back: paying again`,
        () => renameSync(aside, place),
        () => bench.paying(),
      );
      await bench.more(load);
    }
  },
};
