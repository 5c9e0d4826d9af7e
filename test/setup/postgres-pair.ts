import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import {
  directoryPrefix,
  findPrograms,
  initialise,
  serverAccount,
  stagePackage,
  waitUntilReady,
} from './postgres-cluster.ts';

/** One of the two servers. */
export interface PostgresServer {
  readonly port: number;
  /** The superuser's address. */
  readonly url: string;
  /** Ends it as a crash does: nothing is flushed, and every connection breaks. */
  crash(): Promise<void>;
  query<R extends object>(text: string): Promise<R[]>;
}

/** A primary and its standby: a failover in a test of its own. */
export interface PostgresPair {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** Makes the standby a primary, and waits until it takes writes. */
  promote(): Promise<void>;
  /** From now on the standby gets nothing any more. */
  detach(): Promise<void>;
  /** Waits until the standby has all that the primary has. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=100',
  'fsync=on',
  'wal_level=replica',
  'hot_standby=on',
  'wal_receiver_status_interval=1s',
  'wal_retrieve_retry_interval=200ms',
];

/** A new cluster that was never started, and what starts it. */
export interface Place {
  bin: string;
  directory: string;
  env: NodeJS.ProcessEnv;
  account: ReturnType<typeof serverAccount>;
  password: string;
}

/** `synchronous`: the primary answers no commit before the standby has it on its disk. */
export async function startPostgresPair({ synchronous }: { synchronous: boolean }): Promise<PostgresPair> {
  const place = await makePlace();
  const servers: Running[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.end()));
    await rm(place.directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    // Both begin as copies of one cluster that was never started, so no base backup is needed.
    await cp(join(place.directory, 'data'), join(place.directory, 'standby'), { recursive: true });
    const primary = await startServer(place, 'data', [
      ...(synchronous ? ['synchronous_standby_names=standby', 'synchronous_commit=on'] : []),
    ]);
    servers.push(primary);
    const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${place.password} application_name=standby`;
    await appendFile(
      join(place.directory, 'standby/postgresql.auto.conf'),
      `primary_conninfo = '${source}'\n`,
    );
    await writeFile(join(place.directory, 'standby/standby.signal'), '');
    await own(place, join(place.directory, 'standby'));
    const standby = await startServer(place, 'standby', []);
    servers.push(standby);
    return { primary, standby, stop, ...control(primary, standby) };
  } catch (error) {
    await stop();
    throw error;
  }
}

function control(primary: Running, standby: Running): Omit<PostgresPair, 'primary' | 'standby' | 'stop'> {
  const promote = async (): Promise<void> => {
    await standby.query('select pg_promote(true, 30)');
  };
  const detach = async (): Promise<void> => {
    await standby.query("alter system set primary_conninfo = ''");
    await standby.query('select pg_reload_conf()');
    await holds(standby, 'select not exists (select from pg_stat_wal_receiver) as so');
  };
  const caughtUp = async (): Promise<void> => {
    const [at] = await primary.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
    await holds(standby, `select pg_last_wal_replay_lsn() >= '${at?.lsn ?? ''}'::pg_lsn as so`);
  };
  return { promote, detach, caughtUp };
}

async function holds(server: Running, question: string): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const [row] = await server.query<{ so: boolean }>(question);
    if (row?.so) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not within 20 s: ${question}`);
}

export async function makePlace(): Promise<Place> {
  const programs = findPrograms();
  const account = serverAccount();
  const directory = await mkdtemp(join(tmpdir(), directoryPrefix));
  await chmod(directory, 0o755);
  await writeFile(join(directory, 'owner.pid'), String(process.pid));
  await mkdir(join(directory, 'data'), { mode: 0o700 });
  if (account) await chown(join(directory, 'data'), account.uid, account.gid);
  const env: NodeJS.ProcessEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  let { bin } = programs;
  if (programs.fromPackage) {
    bin = await stagePackage(bin, directory);
    env['LD_LIBRARY_PATH'] = join(directory, 'native/lib');
  }
  const password = randomBytes(16).toString('hex');
  await initialise(bin, directory, password, { env, account });
  return { bin, directory, env, account, password };
}

/** A copy belongs to whoever made it, and PostgreSQL wants a folder that only its account can read. */
export async function own({ account }: Place, folder: string): Promise<void> {
  await chmod(folder, 0o700);
  if (account) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, folder]);
}

export interface Running extends PostgresServer {
  end(): Promise<void>;
}

/** Starts the cluster in one of the place's folders. */
export async function startServer(
  place: Place,
  folder: string,
  settings: readonly string[],
): Promise<Running> {
  const port = await freePort();
  const given = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting]);
  const server = spawn(
    join(place.bin, 'postgres'),
    ['-D', join(place.directory, folder), '-p', String(port), ...given],
    { cwd: place.directory, env: place.env, stdio: ['ignore', 'ignore', 'pipe'], ...place.account },
  );
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-20_000);
  });
  const ended = new Promise<void>((resolve) => {
    server.once('exit', () => resolve()).once('error', () => resolve());
  });
  const killAtExit = (): void => void server.kill('SIGQUIT');
  process.once('exit', killAtExit);
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
    process.removeListener('exit', killAtExit);
  };
  const url = `postgres://postgres:${place.password}@127.0.0.1:${port}/postgres`;
  const running: Running = {
    port,
    url,
    crash: () => end(server, 'SIGQUIT'),
    end: () => end(server, 'SIGQUIT'),
    query: (text) => once(url, text),
  };
  try {
    await waitUntilReady(url, server, () => log);
  } catch (error) {
    await running.end();
    throw error;
  }
  return running;
}

async function once<R extends object>(url: string, text: string): Promise<R[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}
