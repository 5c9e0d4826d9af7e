import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestStore } from '../harness/test-store.ts';
import { serverAccount } from '../setup/postgres-cluster.ts';
import { service } from '../setup/service.ts';
import type { Bench, Drill } from './bench.ts';
import { mountSmallDisk } from './small-disk.ts';

export const fullDisk: Drill = {
  about: 'the disk of the store has no room amid payments (a loop file system), and then has some again',
  page: 'the-store-does-not-answer',
  stores: ['embedded', 'postgres'],
  run: async (bench, kind) => {
    const disk = mountSmallDisk(bench, 64);
    const folder = join(disk.folder, 'data');
    mkdirSync(folder, { mode: 0o700 });
    const store =
      kind === 'embedded' ? await bench.storeAt({ dataDir: folder }) : await databaseIn(bench, folder);
    await bench.start(store);
    const load = bench.load();
    await bench.more(load);
    await bench.timed(
      'no room: noticed',
      () => disk.fill(),
      () => bench.unready(),
    );
    await bench.doctorFails();
    const lines = bench.till.logs().split('\n').length;
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    const perSecond = (bench.till.logs().split('\n').length - lines) / 10;
    bench.figures.set('log lines a second meanwhile', perSecond.toFixed(0));
    if (!(await bench.unready())) bench.faults.push('ready although there is no room');
    await bench.timed(
      'room again: paying again',
      () => disk.free(),
      () => bench.paying(),
    );
    await bench.more(load);
  },
};

/** A database whose tables lie on that disk, while the server's own files do not. */
async function databaseIn(bench: Bench, folder: string): Promise<TestStore> {
  const account = serverAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  const superuser = await service('postgres');
  const name = `drill_${crypto.randomUUID().slice(0, 8)}`;
  const admin = async (...statements: string[]): Promise<void> => {
    const client = new Client({ connectionString: superuser });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  await admin(`create tablespace ${name} location '${folder}'`, `create database ${name} tablespace ${name}`);
  bench.finally(() => admin(`drop database ${name} with (force)`, `drop tablespace ${name}`));
  const url = new URL(superuser);
  url.pathname = `/${name}`;
  return bench.storeAt({ databaseUrl: url.href });
}
