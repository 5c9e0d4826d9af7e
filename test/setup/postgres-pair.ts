import { spawnSync } from 'node:child_process';
import { appendFile, cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { makePlace, startServer, type PostgresServer } from './postgres-cluster.ts';

/** A primary and its standby: the primary answers no commit before the standby has it on its disk. */
export interface PostgresPair {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** The primary crashes, and the standby takes writes. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const place = await makePlace();
  const folder = join(place.directory, 'standby');
  // Both begin as copies of one cluster that was never started, so no base backup is needed.
  await cp(join(place.directory, 'data'), folder, { recursive: true });
  const primary = await startServer(place, 'data', ['synchronous_standby_names=standby']);
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${place.password} application_name=standby`;
  await appendFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await writeFile(join(folder, 'standby.signal'), '');
  // A copy belongs to whoever made it, and PostgreSQL wants a folder that only its account can read.
  spawnSync('chmod', ['-R', 'go=', folder]);
  if (place.account) spawnSync('chown', ['-R', `${place.account.uid}:${place.account.gid}`, folder]);
  const standby = await startServer(place, 'standby', ['wal_retrieve_retry_interval=200ms']);
  const kill = (): void => [primary, standby].forEach((server) => server.kill());
  process.once('exit', kill);
  return {
    primary,
    standby,
    failOver: async () => {
      await primary.end('SIGQUIT');
      const client = new Client({ connectionString: standby.url });
      await client.connect();
      await client.query('select pg_promote(true, 30)');
      await client.end();
    },
    stop: async () => {
      process.off('exit', kill);
      await Promise.all([primary, standby].map((server) => server.end('SIGQUIT')));
      await place.remove();
    },
  };
}
