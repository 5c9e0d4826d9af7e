import { existsSync, globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needProgram } from '../setup/program.ts';
import { until, type Drill } from './bench.ts';

export const clock: Drill = {
  about: 'the machine’s clock is set an hour forward, then an hour back, while payments go on (libfaketime)',
  page: 'a-replica-is-not-ready-because-of-its-clock',
  stores: ['embedded', 'postgres'],
  quick: true,
  run: async (bench, kind) => {
    needProgram('faketime');
    const [library = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
    if (!existsSync(library))
      throw new Error('No libfaketime.so.1 under /usr/lib: install Debian’s package "faketime".');
    const file = join(bench.folder, 'time');
    await writeFile(file, '+0');
    const env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    const store = await bench.store(kind);
    if (kind === 'postgres') await bench.start(store);
    const stepped = await bench.start(store, { env });
    const load = bench.load();
    await bench.more(load);
    for (const step of ['+3600', '-3600']) {
      const set = (): Promise<void> => writeFile(file, step);
      if (kind === 'postgres') {
        await bench.timed(`${step} s: noticed`, set, () => bench.unready('clock', stepped));
        await bench.more(load);
        const right = (): Promise<void> => writeFile(file, '+0');
        await bench.timed(
          'set right: ready',
          right,
          async () => (await bench.readiness(stepped)).status === 200,
        );
      } else await bench.timed(`${step} s: paying`, set, () => bench.paying());
      await bench.more(load);
    }
    await until(() => load.surprises.length === 0);
  },
};
