import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../chaos/calls.ts';
import type { Drill } from './bench.ts';
import { mountSmallDisk } from './small-disk.ts';

export const fullLog: Drill = {
  about: 'the disk of the log has no room while payments go on, and then has some again',
  page: 'the-log-has-gone-silent',
  stores: ['embedded'],
  run: async (bench, kind) => {
    const disk = mountSmallDisk(bench, 8);
    const logFile = join(disk.folder, 'tillfront.log');
    await bench.start(await bench.store(kind), { logFile });
    const load = bench.load();
    await bench.more(load);
    disk.fill();
    await bench.more(load, 40);
    if ((await bench.readiness()).status !== 200)
      bench.faults.push('a full disk of the log makes it not ready');
    const before = readFileSync(logFile, 'utf8').length;
    const goesOn = (): boolean => readFileSync(logFile, 'utf8').length > before + 500;
    await bench.timed('room again: the log goes on', () => disk.free(), goesOn);
    const metrics = await call({ method: 'GET', url: `${bench.url}/metrics` });
    const lost = /^tillfront_log_lines_lost_total (\d+)/m.exec(metrics.answered ? metrics.text : '')?.[1];
    bench.figures.set('lines lost, by its own count', lost ?? 'not counted');
    if (lost === undefined) bench.faults.push('nobody counts the lines that are lost');
    await bench.more(load);
  },
};
