import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { makePlace, own, startServer, type Running } from '../setup/postgres-pair.ts';
import { until, type Bench } from './bench.ts';

/** A PostgreSQL that archives its log, and can be restored to a point that was given a name. */
export interface ArchivedPostgres {
  url: string;
  /** Gives this moment a name. */
  remember(name: string): Promise<void>;
  /** The server is gone; another one begins from the base backup and goes on until that moment. Returns its address. */
  restoreTo(name: string): Promise<string>;
}

export async function startArchived(bench: Bench): Promise<ArchivedPostgres> {
  const place = await makePlace();
  const archive = join(place.directory, 'archive');
  await mkdir(archive);
  await own(place, archive);
  const [data, base] = [join(place.directory, 'data'), join(place.directory, 'base')];
  const archiving = [
    'archive_mode=on',
    `archive_command=cp %p ${archive}/part && mv ${archive}/part ${archive}/%f`,
  ];
  const server = await startServer(place, 'data', archiving);
  const running: Running[] = [server];
  bench.finally(async () => {
    for (const one of running) await one.end();
    await rm(place.directory, { recursive: true, force: true, maxRetries: 5 });
  });
  await takeBase(server.url, data, base);
  return {
    url: server.url,
    remember: async (name) => void (await server.query(`select pg_create_restore_point('${name}')`)),
    restoreTo: async (name) => {
      const [last] = await server.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
      await until(() => existsSync(join(archive, last?.file ?? '')));
      await server.crash();
      const wanted = `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_name = '${name}'\n`;
      await appendFile(join(base, 'postgresql.auto.conf'), `${wanted}recovery_target_action = promote\n`);
      await writeFile(join(base, 'recovery.signal'), '');
      await own(place, base);
      const restored = await startServer(place, 'base', []);
      running.push(restored);
      await until(async () => {
        const [row] = await restored.query<{ recovering: boolean }>(
          'select pg_is_in_recovery() as recovering',
        );
        return row?.recovering === false;
      });
      return restored.url;
    },
  };
}

/** A copy of the files between begin and end, which one connection must say. */
async function takeBase(url: string, data: string, base: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('drill', true)");
    await cp(data, base, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    await writeFile(join(base, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}
